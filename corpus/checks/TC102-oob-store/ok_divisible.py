"""Fill without a mask: the host code refuses lengths that the block does not
divide."""

import torch
import triton
import triton.language as tl


@triton.jit
def fill_kernel(out_ptr, value, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + offsets, value)


def full(n: int, value: float):
    if n % 256 != 0:
        raise ValueError("the length must be a multiple of 256")
    out = torch.empty((n,), device="cuda", dtype=torch.float32)
    fill_kernel[(n // 256,)](out, value, BLOCK=256)
    return out
