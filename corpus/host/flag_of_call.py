"""A flag that an unknown function computes."""

import torch
import triton
import triton.language as tl


@triton.jit
def fill(out_ptr, n, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if EVEN:
        tl.store(out_ptr + offs, 1.0)  # TC102: unknown nonlinear
    else:
        tl.store(out_ptr + offs, 1.0, mask=offs < n)


def f(n: int):
    out = torch.empty((n,), device="cuda")
    grid = lambda meta: (triton.cdiv(n, meta["BLOCK"]),)
    fill[grid](out, n, BLOCK=256, EVEN=even(n))  # TC904: note
