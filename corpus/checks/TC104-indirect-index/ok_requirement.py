"""Gather through indices of which nobody says how large they can be: the range that
would do is the requirement."""

import torch
import triton
import triton.language as tl


@triton.jit
def gather_kernel(table_ptr, ids_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    ids = tl.load(ids_ptr + offsets, mask=mask, other=0)
    row = tl.load(table_ptr + ids, mask=mask)  # TC104: proved-if values of `ids` are in [0, rows)
    tl.store(out_ptr + offsets, row, mask=mask)


# tilecheck: table: f32[rows]; ids: i32[n]
def gather(table, ids):
    n = ids.shape[0]
    out = torch.empty((n,), device=table.device, dtype=table.dtype)
    gather_kernel[(triton.cdiv(n, 256),)](table, ids, out, n, BLOCK=256)
    return out
