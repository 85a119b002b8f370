"""A flag and a block size of one configuration belong together."""

import torch
import triton
import triton.language as tl


@triton.autotune(
    configs=[
        triton.Config({"BLOCK": 64, "EVEN": True}),
        triton.Config({"BLOCK": 256, "EVEN": False}),
    ],
    key=["n"],
)
@triton.jit
def fill(out_ptr, n, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if EVEN:
        tl.store(out_ptr + offs, 1.0)
    else:
        tl.store(out_ptr + offs, 1.0, mask=offs < n)


def f(n: int):
    out = torch.empty((n,), device="cuda")
    assert n % 64 == 0
    grid = lambda meta: (triton.cdiv(n, meta["BLOCK"]),)
    fill[grid](out, n)
