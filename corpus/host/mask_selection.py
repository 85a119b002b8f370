"""Some of the elements: nobody knows how many."""

import torch
import triton
import triton.language as tl


@triton.jit
def fill(out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + offs, 1.0, mask=offs < n)  # TC102: unknown nonlinear


def f(a):
    (n,) = a.shape
    chosen = a[a > 0]
    out = torch.empty((n,), device="cuda")
    fill[(triton.cdiv(chosen.numel(), 256),)](out, chosen.numel(), BLOCK=256)
