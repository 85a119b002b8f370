"""Fault: the grid has an axis of batches that the kernel never reads: all batches
write to the first.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def bmm_kernel(a_ptr, b_ptr, c_ptr, M, N, K, stride_ab, stride_am, stride_ak,
               stride_bb, stride_bk, stride_bn, stride_cb, stride_cm,
               stride_cn, BLOCK: tl.constexpr, BLOCK_K: tl.constexpr):
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    cols = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK, BLOCK), dtype=tl.float32)
    for start in range(0, K, BLOCK_K):
        ks = start + tl.arange(0, BLOCK_K)
        a = tl.load(a_ptr + rows[:, None] * stride_am + ks[None, :] * stride_ak,
                    mask=(rows[:, None] < M) & (ks[None, :] < K), other=0.0)
        b = tl.load(b_ptr + ks[:, None] * stride_bk + cols[None, :] * stride_bn,
                    mask=(ks[:, None] < K) & (cols[None, :] < N), other=0.0)
        acc += tl.dot(a, b)
    c = c_ptr + rows[:, None] * stride_cm + cols[None, :] * stride_cn
    tl.store(c, acc, mask=(rows[:, None] < M) & (cols[None, :] < N))  # TC401: refuted {B=2, M=1, K=1, N=1}


# tilecheck: assume N <= 2**19, B <= 65535
def bmm(a, b):
    B, M, K = a.shape
    assert b.shape[0] == B and b.shape[1] == K
    N = b.shape[2]
    c = torch.empty((B, M, N), device=a.device, dtype=torch.float32)
    grid = (triton.cdiv(M, 32), triton.cdiv(N, 32), B)
    bmm_kernel[grid](a, b, c, M, N, K, a.stride(0), a.stride(1), a.stride(2),
                     b.stride(0), b.stride(1), b.stride(2), c.stride(0),
                     c.stride(1), c.stride(2), BLOCK=32, BLOCK_K=32)
    return c
