"""A list that may be one of two."""

import torch
import triton
import triton.language as tl


@triton.jit
def fill(out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)  # TC301: unknown nonlinear
    tl.store(out_ptr + offs, 1.0, mask=offs < n)  # TC102: unknown nonlinear; TC401: unknown nonlinear; TC403: unknown nonlinear


def f(n: int, c: bool):
    out = torch.empty((n,), device="cuda")
    a = [n]
    b = [n]
    d = a if c else b
    d[0] = n + 1
    fill[(triton.cdiv(a[0], 256),)](out, a[0], BLOCK=256)
