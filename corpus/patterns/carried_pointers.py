"""Pattern: column sums; a row of pointers is carried down the matrix."""

import torch
import triton
import triton.language as tl


@triton.jit
def column_sum_kernel(x_ptr, out_ptr, M, N, stride_m, stride_n,
                      BLOCK: tl.constexpr):
    cols = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = cols < N
    ptrs = x_ptr + cols * stride_n
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for _ in range(M):
        total += tl.load(ptrs, mask=mask, other=0.0)
        ptrs += stride_m
    tl.store(out_ptr + cols, total, mask=mask)


def column_sum(x):
    M, N = x.shape
    out = torch.empty((N,), device=x.device, dtype=torch.float32)
    column_sum_kernel[(triton.cdiv(N, 128),)](x, out, M, N, x.stride(0),
                                              x.stride(1), BLOCK=128)
    return out
