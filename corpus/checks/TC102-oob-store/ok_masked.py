"""Fill of a strided matrix: the mask holds back rows and columns alike."""

import torch
import triton
import triton.language as tl


@triton.jit
def fill_kernel(out_ptr, M, N, stride_m, stride_n, value,
                BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    cols = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    mask = (rows[:, None] < M) & (cols[None, :] < N)
    ptrs = out_ptr + rows[:, None] * stride_m + cols[None, :] * stride_n
    tl.store(ptrs, value, mask=mask)  # TC401: proved-if the elements of `out` do not overlap; TC403: proved-if the elements of `out` do not overlap


# tilecheck: assume N <= 2**19
def fill_(out, value: float):
    M, N = out.shape
    grid = (triton.cdiv(M, 16), triton.cdiv(N, 128))
    fill_kernel[grid](out, M, N, out.stride(0), out.stride(1), value,
                      BLOCK_M=16, BLOCK_N=128)
    return out
