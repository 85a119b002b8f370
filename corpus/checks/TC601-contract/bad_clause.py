"""The kernel demands what not every launch fulfils."""

import torch
import triton
import triton.language as tl


# tilecheck: assume n % 16 == 0, n >= 16
@triton.jit
def fill_kernel(out_ptr, n, value, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + offs, value, mask=offs < n)


# tilecheck: grid (cdiv(n, BLOCK))
@triton.jit
def scale_kernel(x_ptr, n, factor, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offs, mask=offs < n)
    tl.store(x_ptr + offs, x * factor, mask=offs < n)


def rounded(n: int):
    out = torch.empty((n,), device="cuda")
    fill_kernel[(triton.cdiv(n, 128),)](out, n, 0.0, BLOCK=128)  # TC601: refuted {n=1}
    assert n % 16 == 0
    fill_kernel[(triton.cdiv(n, 128),)](out, n, 1.0, BLOCK=128)
    scale_kernel[(n // 128,)](out, n, 2.0, BLOCK=128)  # TC601: refuted
    scale_kernel[(triton.cdiv(n, 128),)](out, n, 2.0, BLOCK=128)
    return out
