"""Configurations that are added later."""

import torch
import triton
import triton.language as tl

CONFIGS = [triton.Config({"BLOCK": 64})]
if torch.version.hip:
    CONFIGS.append(triton.Config({"BLOCK": 128}))


@triton.autotune(configs=CONFIGS, key=["n"])  # TC904: note
@triton.jit
def fill(out_ptr, n, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)  # TC301: unknown nonlinear
    if EVEN:
        tl.store(out_ptr + offs, 1.0)  # TC102: unknown nonlinear; TC401: unknown nonlinear; TC403: unknown nonlinear
    else:
        tl.store(out_ptr + offs, 1.0, mask=offs < n)


def f(n: int):
    out = torch.empty((n,), device="cuda")
    fill[(n // 64,)](out, n, EVEN=True)
