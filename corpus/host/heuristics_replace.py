"""A heuristic replaces what the launch gives."""

import torch
import triton
import triton.language as tl


@triton.heuristics({"BLOCK": lambda args: 256})
@triton.jit
def fill(out_ptr, n, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)  # TC301: refuted
    if EVEN:
        tl.store(out_ptr + offs, 1.0)  # TC102: refuted; TC401: proved-if 256*(n//128) <= 2**31; TC403: proved-if 256*(n//128) <= 2**31
    else:
        tl.store(out_ptr + offs, 1.0, mask=offs < n)


def f(n: int):
    out = torch.empty((n,), device="cuda")
    fill[(n // 128,)](out, n, BLOCK=128, EVEN=True)
