"""Blocks of rows that overlap by one row: neighbours store it both."""

import torch
import triton
import triton.language as tl


@triton.jit
def rows_kernel(out_ptr, M, N, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    rows = tl.program_id(0) * (BLOCK_M - 1) + tl.arange(0, BLOCK_M)
    cols = tl.arange(0, BLOCK_N)
    mask = (rows[:, None] < M) & (cols[None, :] < N)
    zeros = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    tl.store(out_ptr + rows[:, None] * N + cols[None, :], zeros, mask=mask)  # TC401: refuted {N=1, M=16}


def rows(M: int, N: int):
    assert N <= 64
    out = torch.empty((M, N), device="cuda")
    rows_kernel[(triton.cdiv(M, 15),)](out, M, N, BLOCK_M=16, BLOCK_N=64)
    return out
