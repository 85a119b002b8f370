"""Tile copy with M and N exchanged in the mask: right for square matrices only.

On large tensors the offsets of the lanes that the mask should have held back
wrap as well.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def copy_kernel(src_ptr, dst_ptr, M, N, stride_sm, stride_sn, stride_dm,
                stride_dn, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    cols = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    mask = (rows[:, None] < N) & (cols[None, :] < M)
    src = src_ptr + rows[:, None] * stride_sm + cols[None, :] * stride_sn  # TC301: refuted
    dst = dst_ptr + rows[:, None] * stride_dm + cols[None, :] * stride_dn  # TC301: refuted
    tile = tl.load(src, mask=mask)  # TC101: refuted {M=1, N=2}
    tl.store(dst, tile, mask=mask)  # TC102: refuted {M=1, N=2}


# tilecheck: assume N <= 2**21
def copy_2d(src, dst):
    M, N = src.shape
    assert dst.shape == (M, N)
    grid = lambda meta: (triton.cdiv(M, meta["BLOCK_M"]),
                         triton.cdiv(N, meta["BLOCK_N"]))
    copy_kernel[grid](src, dst, M, N, src.stride(0), src.stride(1),
                      dst.stride(0), dst.stride(1), BLOCK_M=32, BLOCK_N=64)
    return dst
