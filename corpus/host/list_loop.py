"""The launch of the second turn gets another number."""

import torch
import triton
import triton.language as tl


@triton.jit
def fill(out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)  # TC301: unknown nonlinear
    tl.store(out_ptr + offs, 1.0, mask=offs < n)  # TC102: unknown nonlinear; TC401: unknown nonlinear; TC403: unknown nonlinear


def f(n: int):
    out = torch.empty((n,), device="cuda")
    l = [n]
    for i in range(3):
        fill[(triton.cdiv(l[0], 256),)](out, l[0], BLOCK=256)
        l[0] += 1
