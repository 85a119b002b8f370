"""Fill without a mask on a grid that is rounded up."""

import torch
import triton
import triton.language as tl


@triton.jit
def fill_kernel(out_ptr, value, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + offsets, value)  # TC102: refuted {n=1}


def full(n: int, value: float):
    out = torch.empty((n,), device="cuda", dtype=torch.float32)
    fill_kernel[(triton.cdiv(n, 256),)](out, value, BLOCK=256)
    return out
