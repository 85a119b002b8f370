"""Fault: the strides are handed over in the wrong order.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x_ptr, factor, M, N, stride_m, stride_n,
                 BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    cols = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    ptrs = x_ptr + rows[:, None] * stride_m + cols[None, :] * stride_n  # TC301: refuted
    mask = (rows[:, None] < M) & (cols[None, :] < N)
    tl.store(ptrs, tl.load(ptrs, mask=mask) * factor, mask=mask)  # TC101: refuted; TC102: refuted


# tilecheck: disjoint x
# tilecheck: assume N <= 2**19
def scale_(x, factor: float):
    M, N = x.shape
    grid = lambda meta: (triton.cdiv(M, meta["BLOCK_M"]),
                         triton.cdiv(N, meta["BLOCK_N"]))
    scale_kernel[grid](x, factor, M, N, x.stride(1), x.stride(0), BLOCK_M=32,
                       BLOCK_N=64)
    return x
