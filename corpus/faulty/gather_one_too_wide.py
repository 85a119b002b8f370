"""Fault: the index may be V, and the last row is V - 1.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def gather_kernel(table_ptr, index_ptr, out_ptr, stride_tr, stride_tc,
                  stride_or, stride_oc, D, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    mask = cols < D
    source = tl.load(index_ptr + row).to(tl.int64)
    x = tl.load(table_ptr + source * stride_tr + cols * stride_tc, mask=mask)  # TC104: refuted; TC301: refuted
    tl.store(out_ptr + row * stride_or + cols * stride_oc, x, mask=mask)


# tilecheck: index: i32[n]
# tilecheck: values index in [0, V]
# tilecheck: assume D <= 2**19
def gather_rows(table, index):
    V, D = table.shape
    n = index.shape[0]
    out = torch.empty((n, D), device=table.device, dtype=table.dtype)
    grid = lambda meta: (n, triton.cdiv(D, meta["BLOCK"]))
    gather_kernel[grid](table, index, out, table.stride(0), table.stride(1),
                        out.stride(0), out.stride(1), D, BLOCK=128)
    return out
