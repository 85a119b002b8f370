"""Each flag that is not set moves the store by one; the tensor has room for four
of the five."""

import torch
import triton
import triton.language as tl


@triton.jit
def k(x_ptr, n, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr, D: tl.constexpr, E: tl.constexpr, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    s = 0
    if not A:
        s += 1
    if not B:
        s += 1
    if not C:
        s += 1
    if not D:
        s += 1
    if not E:
        s += 1
    tl.store(x_ptr + offs + s, 0.0, mask=offs < n)  # TC102: refuted {n=1, a=0, b=0, c=0, d=0, e=0}


def f(n: int, a: bool, b: bool, c: bool, d: bool, e: bool):
    x = torch.empty((n + 4,), device="cuda")
    k[(triton.cdiv(n, 256),)](x, n, a, b, c, d, e, BLOCK=256)
