"""The output is a view of the input, one element on: a program reads what its
neighbour writes.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def copy_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)  # TC402: refuted {N=66}
    tl.store(out_ptr + offsets, x, mask=mask)  # TC403: refuted {N=3}


# tilecheck: x: f32[N]
def shift(x):
    N = x.shape[0]
    n = N - 1
    out = x[1:]
    copy_kernel[(triton.cdiv(n, 64),)](x, out, n, BLOCK=64)
    return out
