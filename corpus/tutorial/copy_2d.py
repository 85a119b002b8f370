"""Tile copy between two matrices, each with strides of its own.

One program copies one tile. Any view will do as source or destination:
transposed, sliced, with gaps.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def copy_kernel(src_ptr, dst_ptr, M, N, stride_sm, stride_sn, stride_dm,
                stride_dn, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    cols = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    mask = (rows[:, None] < M) & (cols[None, :] < N)
    src = src_ptr + rows[:, None] * stride_sm + cols[None, :] * stride_sn
    dst = dst_ptr + rows[:, None] * stride_dm + cols[None, :] * stride_dn
    tl.store(dst, tl.load(src, mask=mask), mask=mask)  # TC401: proved-if the elements of `dst` do not overlap; TC403: proved-if the elements of `dst` do not overlap


# tilecheck: assume N <= 2**19
def copy_2d(src, dst):
    M, N = src.shape
    assert dst.shape == (M, N)
    grid = lambda meta: (triton.cdiv(M, meta["BLOCK_M"]),
                         triton.cdiv(N, meta["BLOCK_N"]))
    copy_kernel[grid](src, dst, M, N, src.stride(0), src.stride(1),
                      dst.stride(0), dst.stride(1), BLOCK_M=32, BLOCK_N=64)
    return dst
