"""A tile is stored and loaded again transposed: lanes read what other lanes
have perhaps not stored yet.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def transpose_kernel(x_ptr, out_ptr, scratch_ptr, BLOCK: tl.constexpr):
    rows = tl.arange(0, BLOCK)[:, None]
    cols = tl.arange(0, BLOCK)[None, :]
    x = tl.load(x_ptr + rows * BLOCK + cols)
    tl.store(scratch_ptr + rows * BLOCK + cols, x)
    y = tl.load(scratch_ptr + cols * BLOCK + rows)  # TC403: refuted
    tl.store(out_ptr + rows * BLOCK + cols, y)


# tilecheck: x: f32[32, 32]
def transpose(x):
    out = torch.empty_like(x)
    scratch = torch.empty_like(x)
    transpose_kernel[(1,)](x, out, scratch, BLOCK=32)
    return out
