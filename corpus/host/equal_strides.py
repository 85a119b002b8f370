"""Strides that are asserted to be equal, sizes from a set."""

import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, stride_m, stride_n, N,
               BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    cols = tl.arange(0, BLOCK)
    offs = row * stride_m + cols.to(tl.int64) * stride_n
    x = tl.load(x_ptr + offs, mask=cols < N)
    y = tl.load(y_ptr + offs, mask=cols < N)
    tl.store(out_ptr + row * N + cols, x + y, mask=cols < N)


@triton.jit
def add_loose_kernel(x_ptr, y_ptr, out_ptr, stride_m, stride_n, N,
                     BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    cols = tl.arange(0, BLOCK)
    offs = row * stride_m + cols.to(tl.int64) * stride_n
    x = tl.load(x_ptr + offs, mask=cols < N)
    y = tl.load(y_ptr + offs, mask=cols < N)  # TC101: refuted
    tl.store(out_ptr + row * N + cols, x + y, mask=cols < N)


def add(x, y):
    M, N = x.shape
    assert y.shape == (M, N) and x.stride() == y.stride()
    assert N in {16, 32, 64}
    out = torch.empty((M, N), device=x.device)
    add_kernel[(M,)](x, y, out, x.stride(0), x.stride(1), N, BLOCK=64)
    return out


def add_loose(x, y):
    M, N = x.shape
    assert y.shape == (M, N)
    assert N in {16, 32, 64}
    out = torch.empty((M, N), device=x.device)
    ys = y.stride(0)
    add_loose_kernel[(M,)](x, y, out, x.stride(0), x.stride(1), N, BLOCK=64)
    return out, ys
