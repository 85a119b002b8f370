"""A module dictionary that nobody changes is constant."""

import torch
import triton
import triton.language as tl


@triton.jit
def fill(out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + offs, 1.0, mask=offs < n)


SIZE = {"a": 5}


def f():
    out = torch.empty((5,), device="cuda")
    fill[(triton.cdiv(SIZE["a"], 256),)](out, SIZE["a"], BLOCK=256)
