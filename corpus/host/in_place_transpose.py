"""A tensor transposed in place has other strides."""

import torch
import triton
import triton.language as tl


@triton.jit
def fill(out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + offs, 1.0, mask=offs < n)  # TC102: unknown nonlinear


def f(n: int, m: int):
    out = torch.empty((n, m), device="cuda")
    out.t_()
    fill[(triton.cdiv(n * m, 256),)](out, n * m, BLOCK=256)
