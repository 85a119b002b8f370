"""A scatter by indices that nobody describes: they may repeat."""

import torch
import triton
import triton.language as tl


@triton.jit
def scatter_kernel(x_ptr, index_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    index = tl.load(index_ptr + offsets, mask=mask, other=0)
    x = tl.load(x_ptr + offsets, mask=mask)
    keep = mask & (index >= 0) & (index < n)
    tl.store(out_ptr + index, x, mask=keep)  # TC401: unknown data-dependent; TC403: unknown data-dependent


# tilecheck: x: f32[n]; index: i32[n]
def scatter(x, index):
    n = x.shape[0]
    out = torch.zeros_like(x)
    scatter_kernel[(triton.cdiv(n, 64),)](x, index, out, n, BLOCK=64)
    return out
