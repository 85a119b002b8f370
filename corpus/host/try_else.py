"""What else binds is not bound when a handler has run."""

import torch
import triton
import triton.language as tl


@triton.jit
def fill(out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)  # TC301: unknown nonlinear
    tl.store(out_ptr + offs, 1.0, mask=offs < n)  # TC102: unknown nonlinear; TC401: unknown nonlinear; TC403: unknown nonlinear


def f(n: int, m: int):
    out = torch.empty((n,), device="cuda")
    p = m
    try:
        foo()
    except ValueError:
        pass
    else:
        p = n
    fill[(triton.cdiv(p, 256),)](out, p, BLOCK=256)
