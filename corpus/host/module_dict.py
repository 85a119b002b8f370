"""A module dictionary that is stored to."""

import torch
import triton
import triton.language as tl


@triton.jit
def fill(out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)  # TC301: unknown nonlinear
    tl.store(out_ptr + offs, 1.0, mask=offs < n)  # TC102: unknown nonlinear; TC401: unknown nonlinear; TC403: unknown nonlinear


CONFIG = {"n": 5}
CONFIG["n"] = 9


def f():
    out = torch.empty((5,), device="cuda")
    fill[(triton.cdiv(CONFIG["n"], 256),)](out, CONFIG["n"], BLOCK=256)
