"""What follows the store is not understood and gets the pointer."""

import torch
import triton
import triton.language as tl

from somewhere import finish


@triton.jit
def fill_kernel(out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + offsets, offsets, mask=offsets < n)  # TC401: unknown unsupported-construct; TC403: unknown unsupported-construct
    finish(out_ptr, n)  # TC101: unknown unsupported-construct; TC904: note


def fill(n: int):
    out = torch.empty((n,), device="cuda", dtype=torch.int32)
    fill_kernel[(triton.cdiv(n, 64),)](out, n, BLOCK=64)
    return out
