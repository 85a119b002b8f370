"""The last stride of a tensor of any rank is no row stride."""

import torch
import triton
import triton.language as tl


@triton.jit
def row_kernel(x_ptr, s, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    cols = tl.arange(0, BLOCK)
    tl.store(x_ptr + row * s + cols, 0.0)  # TC102: unknown nonlinear; TC401: refuted {n=2}


@triton.jit
def masked_kernel(x_ptr, s, N, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    cols = tl.arange(0, BLOCK)
    tl.store(x_ptr + row * s + cols, 0.0, mask=cols < s)  # TC102: proved-if N >= 64; TC401: proved-if N >= 64 and the elements of `x` do not overlap; TC403: proved-if N >= 64 and the elements of `x` do not overlap


def from_the_end(x, n: int):
    row_kernel[(n,)](x, x.stride(-1), BLOCK=64)


def masked_by_stride(x):
    M, N = x.shape
    assert x.stride(1) == 1
    masked_kernel[(M,)](x, x.stride(0), N, BLOCK=64)
