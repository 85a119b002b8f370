"""Fault: the values of x go up to n_bins, and there are n_bins bins.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def histogram_kernel(x_ptr, bins_ptr, n_elements, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n_elements
    bins = tl.load(x_ptr + offsets, mask=mask, other=0)
    tl.atomic_add(bins_ptr + bins, 1, mask=mask)  # TC104: refuted


# tilecheck: x: i32[n_elements]
# tilecheck: values x in [0, n_bins]
def histogram(x, n_bins: int):
    n_elements = x.numel()
    bins = torch.zeros((n_bins,), device=x.device, dtype=torch.int32)
    grid = lambda meta: (triton.cdiv(n_elements, meta["BLOCK"]),)
    histogram_kernel[grid](x, bins, n_elements, BLOCK=1024)
    return bins
