"""A syntax error in one kernel; the other kernel is still checked."""

import torch
import triton
import triton.language as tl


@triton.jit
def broken_kernel(x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + + tl.arange(0, BLOCK))  # TC901: error
    tl.store(x_ptr + offsets, 0.0, mask=offsets < n)  # TC101: unknown unsupported-construct


@triton.jit
def fill_kernel(out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + offsets, 0.0, mask=offsets <= n)  # TC102: refuted {n=1}


def zeros(n: int):
    out = torch.empty((n,), device="cuda", dtype=torch.float32)
    fill_kernel[(triton.cdiv(n, 256),)](out, n, BLOCK=256)
    return out
