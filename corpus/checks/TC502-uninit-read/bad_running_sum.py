"""Accumulation through memory that was never set to 0."""

import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, out_ptr, M, N, BLOCK: tl.constexpr):
    cols = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = cols < N
    acc = tl.load(out_ptr + cols, mask=mask)  # TC502: refuted {N=1}
    for row in range(0, M):
        acc += tl.load(x_ptr + row * N + cols, mask=mask)
    tl.store(out_ptr + cols, acc, mask=mask)


# tilecheck: x: f32[M, N]
def add_rows(x):
    M, N = x.shape
    out = torch.empty((N,), device=x.device)
    add_kernel[(triton.cdiv(N, 256),)](x, out, M, N, BLOCK=256)
    return out
