"""Whether the launch fulfils what the kernel demands depends on a number that
the host code computes in a way that is not understood."""

import torch
import triton
import triton.language as tl
from somewhere import rounded_up


# tilecheck: assume n % 16 == 0
@triton.jit
def fill_kernel(out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + offs, 1.0, mask=offs < n)


def fill(m: int):
    n = rounded_up(m)
    out = torch.empty((n,), device="cuda")
    fill_kernel[(triton.cdiv(n, 128),)](out, n, BLOCK=128)  # TC601: unknown unsupported-construct
    return out
