"""A helper changes an attribute."""

import torch
import triton
import triton.language as tl


@triton.jit
def fill(out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)  # TC301: unknown nonlinear
    tl.store(out_ptr + offs, 1.0, mask=offs < n)  # TC102: unknown nonlinear; TC401: unknown nonlinear; TC403: unknown nonlinear


def grow(config):
    config.n += 1


def f(n: int, config):
    out = torch.empty((n,), device="cuda")
    config.n = n
    grow(config)
    fill[(triton.cdiv(config.n, 256),)](out, config.n, BLOCK=256)
