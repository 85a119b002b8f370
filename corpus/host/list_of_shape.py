"""A list made of a shape is a list."""

import torch
import triton
import triton.language as tl


@triton.jit
def fill(out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + offs, 1.0, mask=offs < n)  # TC102: unknown nonlinear


def f(x):
    sizes = list(x.shape)
    sizes[0] = sizes[0] - 1
    out = torch.empty(sizes, device="cuda")
    fill[(triton.cdiv(x.numel(), 256),)](out, x.numel(), BLOCK=256)
