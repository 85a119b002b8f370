"""Allocated after the likeness of a tensor whose strides are asked for."""

import torch
import triton
import triton.language as tl


@triton.jit
def row_kernel(out_ptr, x_ptr, stride_out, stride_x, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * stride_x + cols, mask=cols < N)  # TC101: proved-if x.stride(1) == 1
    tl.store(out_ptr + row * stride_out + cols, x * 2, mask=cols < N)  # TC102: proved-if out.stride(1) == 1; TC401: proved-if out.stride(1) == 1; TC403: proved-if out.stride(1) == 1


@triton.jit
def heads_kernel(x_ptr, out_ptr, stride_h, stride_t, N, D: tl.constexpr):
    head = tl.program_id(0).to(tl.int64)
    cols = tl.arange(0, D)
    for t in range(N):
        tl.store(out_ptr + head * stride_h + t * stride_t + cols, 0.0)  # TC102: proved-if `x` is contiguous and `out` is contiguous and x.stride(1) == N*D; TC401: proved-if `x` is contiguous and `out` is contiguous and x.stride(1) == N*D; TC403: proved-if `x` is contiguous and `out` is contiguous and x.stride(1) == N*D


@triton.jit
def batches_kernel(x_ptr, out_ptr, stride_b, stride_h, N, D: tl.constexpr):
    batch = tl.program_id(0).to(tl.int64)
    head = tl.program_id(1).to(tl.int64)
    cols = tl.arange(0, D)
    for t in range(N):
        tl.store(out_ptr + batch * stride_b + head * stride_h + t * D + cols, 0.0)  # TC102: proved-if `x` is contiguous and `out` is contiguous; TC401: proved-if `x` is contiguous and `out` is contiguous; TC403: proved-if `x` is contiguous and `out` is contiguous


@triton.jit
def swapped_kernel(x_ptr, out_ptr, stride_b, stride_h, N, D: tl.constexpr):
    batch = tl.program_id(0).to(tl.int64)
    head = tl.program_id(1).to(tl.int64)
    cols = tl.arange(0, D)
    for t in range(N):
        tl.store(out_ptr + batch * stride_h + head * stride_b + t * D + cols, 0.0)  # TC102: unknown nonlinear; TC401: refuted {B=2, N=1}


def rows(x):
    M, N = x.shape
    assert 1 <= N <= 4096
    out = torch.empty_like(x)
    row_kernel[(M,)](out, x, out.stride(0), x.stride(0), N,
                     BLOCK=triton.next_power_of_2(N))
    return out


def heads(x):
    B, H, N, D = x.shape
    assert D in (32, 64)
    out = torch.empty_like(x)
    heads_kernel[(B * H,)](x, out, x.stride(1), x.stride(2), N, D=D)
    return out


def batches(x):
    B, H, N, D = x.shape
    assert D in (32, 64) and H < 1024
    out = torch.empty_like(x)
    batches_kernel[(B, H)](x, out, x.stride(0), x.stride(1), N, D=D)
    return out


def swapped(x):
    B, H, N, D = x.shape
    assert D in (32, 64) and B < 1024
    out = torch.empty_like(x)
    swapped_kernel[(B, H)](x, out, x.stride(0), x.stride(1), N, D=D)  # TC601: refuted {B=1, N=0}
    return out
