"""Every program walks all blocks: they all store the same values to the same
elements.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    for start in range(0, n, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        mask = offsets < n
        x = tl.load(x_ptr + offsets, mask=mask)  # TC101: proved-if `x` is contiguous
        tl.store(out_ptr + offsets, 2.0 * x, mask=mask)  # TC401: refuted {n=65}


def scale(x):
    n = x.numel()
    out = torch.empty_like(x)
    scale_kernel[(triton.cdiv(n, 64),)](x, out, n, BLOCK=64)
    return out
