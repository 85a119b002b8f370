"""A helper changes the list that it gets."""

import torch
import triton
import triton.language as tl


@triton.jit
def fill(out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)  # TC301: unknown nonlinear
    tl.store(out_ptr + offs, 1.0, mask=offs < n)  # TC102: unknown nonlinear; TC401: unknown nonlinear; TC403: unknown nonlinear


def grow(sizes):
    sizes[0] += 1


def f(n: int):
    out = torch.empty((n,), device="cuda")
    sizes = [n]
    grow(sizes)
    fill[(triton.cdiv(sizes[0], 256),)](out, sizes[0], BLOCK=256)
