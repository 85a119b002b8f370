"""A histogram: programs meet in one bin, atomically."""

import torch
import triton
import triton.language as tl


@triton.jit
def histogram_kernel(x_ptr, bins_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0)
    tl.atomic_add(bins_ptr + x, 1, mask=mask)


# tilecheck: x: i32[n]; values x in [0, 256)
def histogram(x):
    n = x.shape[0]
    bins = torch.zeros((256,), device=x.device, dtype=torch.int32)
    histogram_kernel[(triton.cdiv(n, 1024),)](x, bins, n, BLOCK=1024)
    return bins
