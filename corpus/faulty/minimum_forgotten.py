"""Fault: the loop ends at the diagonal even where that lies beyond the edge:
`tl.minimum` is missing.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def row_sum_kernel(x_ptr, out_ptr, stride_m, stride_n, N,
                   BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    pid = tl.program_id(0)
    rows = pid * BLOCK_M + tl.arange(0, BLOCK_M)
    total = tl.zeros((BLOCK_M,), dtype=tl.float32)
    end = (pid + 1) * BLOCK_M
    for start in range(0, end, BLOCK_N):
        cols = start + tl.arange(0, BLOCK_N)
        x = tl.load(x_ptr + rows[:, None] * stride_m + cols[None, :] * stride_n,  # TC101: refuted; TC301: refuted
                    mask=rows[:, None] < N, other=0.0)
        x = tl.where(rows[:, None] >= cols[None, :], x, 0.0)
        total += tl.sum(x, axis=1)
    tl.store(out_ptr + rows, total, mask=rows < N)


def lower_row_sums(x):
    N = x.shape[0]
    assert x.shape == (N, N) and N % 32 == 0
    out = torch.empty((N,), device=x.device, dtype=torch.float32)
    grid = lambda meta: (triton.cdiv(N, meta["BLOCK_M"]),)
    row_sum_kernel[grid](x, out, x.stride(0), x.stride(1), N, BLOCK_M=128,
                         BLOCK_N=32)
    return out
