"""Axis 1 of the grid is small: it has a limit, or it counts what has one."""

import torch
import triton
import triton.language as tl


@triton.jit
def square_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    offs = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + offs, mask=offs < n)
    tl.store(y_ptr + row * n + offs, x * x, mask=offs < n)


# tilecheck: assume n <= 2**22
def square(x):
    m, n = x.shape
    x = x.contiguous()
    y = torch.empty_like(x)
    square_kernel[(m, triton.cdiv(n, 128))](x, y, n, BLOCK=128)
    return y


def square_of_few(x):
    m, n = x.shape
    if triton.cdiv(n, 128) > 65535:
        raise ValueError("too many columns")
    x = x.contiguous()
    y = torch.empty_like(x)
    square_kernel[(m, triton.cdiv(n, 128))](x, y, n, BLOCK=128)
    return y
