"""A comprehension binds the name."""

import torch
import triton
import triton.language as tl


@triton.jit
def fill(out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)  # TC301: unknown nonlinear
    tl.store(out_ptr + offs, 1.0, mask=offs < n)  # TC102: unknown nonlinear; TC401: unknown nonlinear; TC403: unknown nonlinear


def f(n: int):
    out = torch.empty((n,), device="cuda")
    m = n
    z = [m := m + 1 for i in range(3)]
    fill[(triton.cdiv(m, 256),)](out, m, BLOCK=256)
