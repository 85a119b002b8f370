"""A part of an allocation: nobody can pass a larger one."""

import torch
import triton
import triton.language as tl


@triton.jit
def fill(out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + offs, 1.0, mask=offs < n)  # TC102: refuted {n=1}


def f(n: int):
    out = torch.empty((n,), device="cuda").narrow(0, 1, n - 1)
    fill[(triton.cdiv(n, 256),)](out, n, BLOCK=256)
