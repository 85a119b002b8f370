"""A division says nothing about what comes before it: with d = 0 the store of
the first turn writes before the tensor."""

import torch
import triton
import triton.language as tl


@triton.jit
def k(out, n, d):
    q = 0
    for t in range(3):
        tl.store(out + d - 1, 1.0)  # TC102: refuted {d=0}
        q = q + n // d  # TC302: proved-if d is not 0
    tl.store(out, 1.0)


def f(n: int, d: int):
    out = torch.empty((d + 2,), device="cuda")
    k[(1,)](out, n, d)
    return out
