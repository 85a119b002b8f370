"""A name of the module stands where no arm binds it; `is` compares types, too."""

import torch
import triton
import triton.language as tl

SHIFT: tl.constexpr = 7


@triton.jit
def shift_kernel(x_ptr, n, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr,
                 BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if A:
        SHIFT = 0
    z = 0
    if B:
        z += 1
    if C:
        z += 1
    tl.store(x_ptr + offs + SHIFT + z, 0.0, mask=offs < n)  # TC102: refuted {n=1}


@triton.jit
def is_kernel(x_ptr, n, A: tl.constexpr, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if A is True:
        z = 0
    else:
        z = 50
    tl.store(x_ptr + offs + z, 0.0, mask=offs < n)  # TC102: refuted {n=1}


def f(n: int, a: bool, b: bool, c: bool):
    x = torch.empty((n + 2,), device="cuda")
    shift_kernel[(triton.cdiv(n, 256),)](x, n, a, b, c, BLOCK=256)
    is_kernel[(triton.cdiv(n, 256),)](x, n, 1, BLOCK=256)
    return x
