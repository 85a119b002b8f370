"""Gather of rows without a mask on the columns: the loaded index is in range, it
is not what goes wrong."""

import torch
import triton
import triton.language as tl


@triton.jit
def gather_kernel(table_ptr, ids_ptr, out_ptr, D, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    source = tl.load(ids_ptr + row).to(tl.int64)
    x = tl.load(table_ptr + source * D + cols)  # TC101: refuted
    tl.store(out_ptr + row * D + cols, x, mask=cols < D)


# tilecheck: table: f32[rows, D]; ids: i32[n]; values ids in [0, rows); assume D <= 2**20
def gather(table, ids):
    rows, D = table.shape
    n = ids.shape[0]
    out = torch.empty((n, D), device=table.device, dtype=table.dtype)
    grid = lambda meta: (n, triton.cdiv(D, meta["BLOCK"]))
    gather_kernel[grid](table, ids, out, D, BLOCK=128)
    return out
