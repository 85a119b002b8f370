"""A transposed read of a tile with neighbours on one of its axes, a broadcast
row, and one strided read that is wanted so.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x_ptr, w_ptr, out_ptr, M, N, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    j = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    mask = (i[:, None] < N) & (j[None, :] < M)
    x = tl.load(x_ptr + j[None, :] * N + i[:, None], mask=mask)
    w = tl.load(w_ptr + i[:, None] + j[None, :] * 0, mask=mask)
    first = tl.load(x_ptr + j * N, mask=j < M)  # tilecheck: ignore TC701 -- once for each block
    tl.store(out_ptr + i[:, None] * M + j[None, :], x * w + first[None, :],
             mask=mask)


# tilecheck: w: f32[N]
def scale(x, w):
    M, N = x.shape
    assert N >= 1 and M <= 2**20
    assert x.is_contiguous()
    out = torch.empty((N, M), device=x.device, dtype=x.dtype)
    scale_kernel[(triton.cdiv(N, 32), triton.cdiv(M, 32))](x, w, out, M, N,
                                                           BLOCK=32)
    return out
