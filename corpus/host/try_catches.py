"""An assertion whose failure is caught says nothing afterwards."""

import torch
import triton
import triton.language as tl


@triton.jit
def fill(out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + offs, 1.0, mask=offs < n)  # TC102: refuted


def f(n: int, m: int):
    out = torch.empty((n,), device="cuda")
    try:
        assert m <= n
    except AssertionError:
        print("odd")
    fill[(triton.cdiv(m, 256),)](out, m, BLOCK=256)
