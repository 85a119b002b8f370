"""A row is written, then read again by the program that wrote it."""

import torch
import triton
import triton.language as tl


@triton.jit
def normalize_kernel(x_ptr, out_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = 0.0
    for start in range(0, n_cols, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * n_cols + cols, mask=cols < n_cols, other=0.0)
        e = tl.exp(x)
        total += tl.sum(tl.where(cols < n_cols, e, 0.0), axis=0)
        tl.store(out_ptr + row * n_cols + cols, e, mask=cols < n_cols)
    for start in range(0, n_cols, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        e = tl.load(out_ptr + row * n_cols + cols, mask=cols < n_cols)
        tl.store(out_ptr + row * n_cols + cols, e / total, mask=cols < n_cols)


# tilecheck: x: f32[n_rows, n_cols]
def normalize(x):
    n_rows, n_cols = x.shape
    out = torch.empty_like(x)
    normalize_kernel[(n_rows,)](x, out, n_cols, BLOCK=256)
    return out
