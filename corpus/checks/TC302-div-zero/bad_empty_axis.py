"""Tiles of rows: an empty second axis gives a divisor of 0."""

import torch
import triton
import triton.language as tl


@triton.jit
def tile_of_kernel(out_ptr, n, width, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    row = offsets // width  # TC302: refuted {n=1}
    tl.store(out_ptr + offsets, row, mask=offsets < n)


def tile_of(x, n: int):
    height, width = x.shape
    out = torch.empty((n,), device=x.device, dtype=torch.int32)
    tile_of_kernel[(triton.cdiv(n, 128),)](out, n, width, BLOCK=128)
    return out
