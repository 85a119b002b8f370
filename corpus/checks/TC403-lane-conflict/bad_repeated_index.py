"""Counting without atomics: lanes with equal values lose each other's count."""

import torch
import triton
import triton.language as tl


@triton.jit
def count_kernel(x_ptr, bins_ptr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets)
    old = tl.load(bins_ptr + x)
    tl.store(bins_ptr + x, old + 1)  # TC403: refuted


# tilecheck: x: i32[64]; values x in [0, 16)
def count(x):
    bins = torch.zeros((16,), device=x.device, dtype=torch.int32)
    count_kernel[(1,)](x, bins, BLOCK=64)
    return bins
