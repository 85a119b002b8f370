"""L2 norm of rows whose mask forgets where the block starts: from the second
block on it lets everything pass."""

import torch
import triton
import triton.language as tl


@triton.jit
def l2_norm_kernel(x_ptr, norm_ptr, stride_row, stride_col, n_cols,
                   BLOCK_SIZE: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros((BLOCK_SIZE,), dtype=tl.float32)
    for start in range(0, n_cols, BLOCK_SIZE):
        cols = start + tl.arange(0, BLOCK_SIZE)
        x = tl.load(x_ptr + row * stride_row + cols * stride_col,  # TC101: refuted
                    mask=tl.arange(0, BLOCK_SIZE) < n_cols, other=0.0).to(tl.float32)
        total += x * x
    tl.store(norm_ptr + row, tl.sqrt(tl.sum(total, axis=0)))


# tilecheck: x: f32[n_rows, n_cols]
def l2_norm(x):
    n_rows, n_cols = x.shape
    norm = torch.empty((n_rows,), device=x.device, dtype=torch.float32)
    l2_norm_kernel[(n_rows,)](x, norm, x.stride(0), x.stride(1), n_cols,
                              BLOCK_SIZE=512)
    return norm
