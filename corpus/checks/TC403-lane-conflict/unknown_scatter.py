"""Lanes of one store at indices that nobody describes."""

import torch
import triton
import triton.language as tl


@triton.jit
def scatter_kernel(x_ptr, index_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    index = tl.load(index_ptr + offsets)
    x = tl.load(x_ptr + offsets)
    tl.store(out_ptr + index, x, mask=(index >= 0) & (index < n))  # TC403: unknown data-dependent


# tilecheck: x: f32[64]; index: i32[64]; out: f32[n]
def scatter(x, index, out):
    n = out.shape[0]
    scatter_kernel[(1,)](x, index, out, n, BLOCK=64)
