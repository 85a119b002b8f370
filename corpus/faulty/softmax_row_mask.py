"""Fault: the last kernel masks the columns of its store only.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def row_max_kernel(x_ptr, max_ptr, stride_xm, stride_xn, N,
                   BLOCK: tl.constexpr):
    row = tl.program_id(0)
    best = tl.full((BLOCK,), -float("inf"), dtype=tl.float32)
    for start in range(0, N, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * stride_xm + cols * stride_xn, mask=cols < N,
                    other=-float("inf"))
        best = tl.maximum(best, x.to(tl.float32))
    tl.store(max_ptr + row, tl.max(best, axis=0))


@triton.jit
def exp_sum_kernel(x_ptr, max_ptr, exp_ptr, sum_ptr, stride_xm, stride_xn,
                   stride_em, stride_en, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    row_max = tl.load(max_ptr + row)
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, N, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        mask = cols < N
        x = tl.load(x_ptr + row * stride_xm + cols * stride_xn, mask=mask,
                    other=-float("inf"))
        e = tl.exp(x.to(tl.float32) - row_max)
        tl.store(exp_ptr + row * stride_em + cols * stride_en, e, mask=mask)
        total += e
    tl.store(sum_ptr + row, tl.sum(total, axis=0))


@triton.jit
def divide_kernel(exp_ptr, sum_ptr, out_ptr, stride_em, stride_en, stride_om,
                  stride_on, M, N, BLOCK_M: tl.constexpr,
                  BLOCK_N: tl.constexpr):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    cols = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    mask = (rows[:, None] < M) & (cols[None, :] < N)
    total = tl.load(sum_ptr + rows, mask=rows < M, other=1.0)
    e = tl.load(exp_ptr + rows[:, None] * stride_em + cols[None, :] * stride_en,
                mask=mask)
    tl.store(out_ptr + rows[:, None] * stride_om + cols[None, :] * stride_on,  # TC102: refuted; TC301: refuted; TC401: proved-if 16*N*cdiv(M, 16) - N + 1 <= 2**31; TC403: proved-if 16*N*cdiv(M, 16) - N + 1 <= 2**31
             e / total[:, None], mask=cols[None, :] < N)


# tilecheck: assume N <= 2**19
def softmax(x):
    M, N = x.shape
    row_max = torch.empty((M,), device=x.device, dtype=torch.float32)
    row_sum = torch.empty((M,), device=x.device, dtype=torch.float32)
    exps = torch.empty((M, N), device=x.device, dtype=torch.float32)
    out = torch.empty_like(exps)
    row_max_kernel[(M,)](x, row_max, x.stride(0), x.stride(1), N, BLOCK=1024)
    exp_sum_kernel[(M,)](x, row_max, exps, row_sum, x.stride(0), x.stride(1),
                         exps.stride(0), exps.stride(1), N, BLOCK=1024)
    grid = lambda meta: (triton.cdiv(M, meta["BLOCK_M"]),
                         triton.cdiv(N, meta["BLOCK_N"]))
    divide_kernel[grid](exps, row_sum, out, exps.stride(0), exps.stride(1),
                        out.stride(0), out.stride(1), M, N, BLOCK_M=16,
                        BLOCK_N=128)
    return out
