"""`x.float()` is `x` itself where `x` holds such floats already."""

import torch
import triton
import triton.language as tl


@triton.jit
def reverse_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + (n - 1 - offsets), mask=mask)  # TC402: unknown unsupported-construct
    tl.store(out_ptr + offsets, x, mask=mask)  # TC403: unknown unsupported-construct


# tilecheck: x: any[n]
def reverse(x):
    n = x.shape[0]
    out = x.float()
    reverse_kernel[(triton.cdiv(n, 64),)](x, out, n, BLOCK=64)
    return out
