"""Scatter through indices of which nobody says how large they can be: the range that
would do is the requirement."""

import torch
import triton
import triton.language as tl


@triton.jit
def scatter_kernel(src_ptr, ids_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    ids = tl.load(ids_ptr + offsets, mask=mask, other=0)
    x = tl.load(src_ptr + offsets, mask=mask)
    tl.atomic_add(out_ptr + ids, x, mask=mask)  # TC104: proved-if values of `ids` are in [0, rows)


# tilecheck: src: f32[n]; ids: i32[n]
def scatter_add(src, ids, rows: int):
    n = src.shape[0]
    out = torch.zeros((rows,), device=src.device, dtype=src.dtype)
    scatter_kernel[(triton.cdiv(n, 256),)](src, ids, out, n, BLOCK=256)
    return out
