"""Fault: the partial buffers have one row less than there are programs.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def forward_kernel(x_ptr, y_ptr, weight_ptr, bias_ptr, mean_ptr, rstd_ptr,
                   stride_x, stride_y, N, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < N
    x = tl.load(x_ptr + row * stride_x + cols, mask=mask, other=0.0)
    x = x.to(tl.float32)
    mean = tl.sum(x, axis=0) / N
    delta = tl.where(mask, x - mean, 0.0)
    rstd = 1 / tl.sqrt(tl.sum(delta * delta, axis=0) / N + eps)
    tl.store(mean_ptr + row, mean)
    tl.store(rstd_ptr + row, rstd)
    w = tl.load(weight_ptr + cols, mask=mask)
    b = tl.load(bias_ptr + cols, mask=mask)
    tl.store(y_ptr + row * stride_y + cols, delta * rstd * w + b, mask=mask)


@triton.jit
def backward_kernel(dx_ptr, dy_ptr, x_ptr, weight_ptr, mean_ptr, rstd_ptr,
                    dweight_ptr, dbias_ptr, stride_dx, stride_dy, stride_x, M,
                    N, BLOCK: tl.constexpr):
    first = tl.program_id(0)
    programs = tl.num_programs(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < N
    w = tl.load(weight_ptr + cols, mask=mask, other=0.0).to(tl.float32)
    dweight = tl.zeros((BLOCK,), dtype=tl.float32)
    dbias = tl.zeros((BLOCK,), dtype=tl.float32)
    for row in range(first, M, programs):
        x = tl.load(x_ptr + row * stride_x + cols, mask=mask, other=0.0)
        dy = tl.load(dy_ptr + row * stride_dy + cols, mask=mask, other=0.0)
        dy = dy.to(tl.float32)
        mean = tl.load(mean_ptr + row)
        rstd = tl.load(rstd_ptr + row)
        x_hat = tl.where(mask, (x.to(tl.float32) - mean) * rstd, 0.0)
        g = w * dy
        c1 = tl.sum(x_hat * g, axis=0) / N
        c2 = tl.sum(g, axis=0) / N
        dx = (g - (x_hat * c1 + c2)) * rstd
        tl.store(dx_ptr + row * stride_dx + cols, dx, mask=mask)
        dweight += dy * x_hat
        dbias += dy
    tl.store(dweight_ptr + first * N + cols, dweight, mask=mask)  # TC102: refuted
    tl.store(dbias_ptr + first * N + cols, dbias, mask=mask)  # TC102: refuted


@triton.jit
def add_partials_kernel(partial_w_ptr, partial_b_ptr, dweight_ptr, dbias_ptr,
                        P, N, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    cols = tl.program_id(0) * BLOCK_N + tl.arange(0, BLOCK_N)
    sum_w = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    sum_b = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for start in range(0, P, BLOCK_M):
        rows = start + tl.arange(0, BLOCK_M)
        mask = (rows[:, None] < P) & (cols[None, :] < N)
        offsets = rows[:, None] * N + cols[None, :]
        sum_w += tl.load(partial_w_ptr + offsets, mask=mask, other=0.0)  # TC101: refuted
        sum_b += tl.load(partial_b_ptr + offsets, mask=mask, other=0.0)  # TC101: refuted
    tl.store(dweight_ptr + cols, tl.sum(sum_w, axis=0), mask=cols < N)
    tl.store(dbias_ptr + cols, tl.sum(sum_b, axis=0), mask=cols < N)


class LayerNorm(torch.autograd.Function):

    @staticmethod
    def forward(ctx, x, weight, bias, eps):
        M, N = x.shape
        assert 1 <= N <= 2**20 and x.stride(1) == 1
        assert weight.shape == (N,) and weight.is_contiguous()
        assert bias.shape == (N,) and bias.is_contiguous()
        y = torch.empty((M, N), device=x.device, dtype=x.dtype)
        mean = torch.empty((M,), device=x.device, dtype=torch.float32)
        rstd = torch.empty((M,), device=x.device, dtype=torch.float32)
        forward_kernel[(M,)](x, y, weight, bias, mean, rstd, x.stride(0),
                             y.stride(0), N, eps,
                             BLOCK=triton.next_power_of_2(N))
        ctx.save_for_backward(x, weight, mean, rstd)
        return y

    @staticmethod
    def backward(ctx, dy):
        x, weight, mean, rstd = ctx.saved_tensors
        dx, dweight, dbias = layer_norm_backward(dy, x, weight, mean, rstd)
        return dx, dweight, dbias, None


def layer_norm_backward(dy, x, weight, mean, rstd):
    M, N = x.shape
    assert 1 <= N <= 2**20 and x.stride(1) == 1
    assert dy.shape == (M, N) and dy.stride(1) == 1
    assert weight.shape == (N,) and weight.is_contiguous()
    assert mean.shape == (M,) and mean.is_contiguous()
    assert rstd.shape == (M,) and rstd.is_contiguous()
    P = min(M, 96)
    dx = torch.empty((M, N), device=x.device, dtype=x.dtype)
    partial_w = torch.empty((P - 1, N), device=x.device, dtype=torch.float32)
    partial_b = torch.empty((P - 1, N), device=x.device, dtype=torch.float32)
    dweight = torch.empty((N,), device=x.device, dtype=weight.dtype)
    dbias = torch.empty((N,), device=x.device, dtype=weight.dtype)
    backward_kernel[(P,)](dx, dy, x, weight, mean, rstd, partial_w, partial_b,
                          dx.stride(0), dy.stride(0), x.stride(0), M, N,
                          BLOCK=triton.next_power_of_2(N))
    grid = lambda meta: (triton.cdiv(N, meta["BLOCK_N"]),)
    add_partials_kernel[grid](
        partial_w, partial_b, dweight, dbias, P, N, BLOCK_M=32, BLOCK_N=128)
    return dx, dweight, dbias
