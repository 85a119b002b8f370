"""Reversal in place: a program reads what its mirror image writes."""

import torch
import triton
import triton.language as tl


@triton.jit
def reverse_kernel(x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + (n - 1 - offsets), mask=mask)  # TC402: refuted {n=65}
    tl.store(x_ptr + offsets, x, mask=mask)  # TC403: refuted {n=2}


# tilecheck: x: f32[n]
def reverse(x):
    n = x.shape[0]
    reverse_kernel[(triton.cdiv(n, 64),)](x, n, BLOCK=64)
    return x
