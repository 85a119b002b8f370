"""A context manager of torch lets exceptions through."""

import torch
import triton
import triton.language as tl


@triton.jit
def fill(out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + offs, 1.0, mask=offs < n)


def f(n: int, m: int):
    out = torch.empty((n,), device="cuda")
    with torch.cuda.device(0):
        assert m <= n
    fill[(triton.cdiv(m, 256),)](out, m, BLOCK=256)
