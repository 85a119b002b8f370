"""Axis 1 of a grid takes 65,535 programs, and a tensor may have more rows."""

import torch
import triton
import triton.language as tl


@triton.jit
def square_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(1).to(tl.int64)
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + offs, mask=offs < n)
    tl.store(y_ptr + row * n + offs, x * x, mask=offs < n)


def square(x):
    m, n = x.shape
    x = x.contiguous()
    y = torch.empty_like(x)
    square_kernel[(triton.cdiv(n, 128), m)](x, y, n, BLOCK=128)  # TC601: refuted {m=65536, n=1}
    return y
