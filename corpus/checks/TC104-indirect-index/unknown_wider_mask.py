"""The indices are loaded under a narrower mask than they are used under: what the
lanes between the two hold, no promise about the tensor says."""

import torch
import triton
import triton.language as tl


@triton.jit
def gather_kernel(table_ptr, ids_ptr, out_ptr, n, m, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    ids = tl.load(ids_ptr + offsets, mask=offsets < n)
    x = tl.load(table_ptr + ids, mask=offsets < m)  # TC104: unknown data-dependent
    tl.store(out_ptr + offsets, x, mask=offsets < m)


# tilecheck: table: f32[rows]; ids: i32[n]; assume n <= m
def gather(table, ids, m: int):
    n = ids.shape[0]
    out = torch.empty((m,), device=table.device, dtype=table.dtype)
    gather_kernel[(triton.cdiv(m, 256),)](table, ids, out, n, m, BLOCK=256)
    return out
