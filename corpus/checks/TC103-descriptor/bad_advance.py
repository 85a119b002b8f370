"""Matrix multiplication with block pointers that advance along K, which the last
block of A and B leaves; K is not checked."""

import torch
import triton
import triton.language as tl


@triton.jit
def matmul_kernel(a_ptr, b_ptr, c_ptr, M, N, K, stride_am, stride_ak, stride_bk,
                  stride_bn, stride_cm, stride_cn, BLOCK_M: tl.constexpr,
                  BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    row = tl.program_id(0) * BLOCK_M
    col = tl.program_id(1) * BLOCK_N
    a = tl.make_block_ptr(a_ptr, (M, K), (stride_am, stride_ak), (row, 0),
                          (BLOCK_M, BLOCK_K), (1, 0))
    b = tl.make_block_ptr(b_ptr, (K, N), (stride_bk, stride_bn), (0, col),
                          (BLOCK_K, BLOCK_N), (1, 0))
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for _ in range(0, K, BLOCK_K):
        x = tl.load(a, boundary_check=(0,), padding_option="zero")  # TC101: refuted; TC103: refuted
        y = tl.load(b, boundary_check=(1,), padding_option="zero")  # TC101: refuted; TC103: refuted
        acc += tl.dot(x, y)
        a = tl.advance(a, (0, BLOCK_K))
        b = tl.advance(b, [BLOCK_K, 0])
    c = tl.make_block_ptr(base=c_ptr, shape=(M, N),
                          strides=(stride_cm, stride_cn), offsets=(row, col),
                          block_shape=(BLOCK_M, BLOCK_N), order=(1, 0))
    tl.store(c, acc.to(c_ptr.dtype.element_ty), boundary_check=(0, 1))


# tilecheck: assume N <= 2**19
def matmul(a, b):
    M, K = a.shape
    _, N = b.shape
    assert b.shape[0] == K
    c = torch.empty((M, N), device=a.device, dtype=a.dtype)
    grid = (triton.cdiv(M, 32), triton.cdiv(N, 64))
    matmul_kernel[grid](a, b, c, M, N, K, a.stride(0), a.stride(1), b.stride(0),
                        b.stride(1), c.stride(0), c.stride(1), BLOCK_M=32,
                        BLOCK_N=64, BLOCK_K=16)
    return c
