"""Clauses that match nothing: one above a function that launches nothing, and
a suppression without a finding; and a suppression that has its finding."""

import torch
import triton
import triton.language as tl


@triton.jit
def fill_kernel(out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    # below TC903: warning
    tl.store(out_ptr + offsets, 0.0, mask=offsets < n)  # tilecheck: ignore TC102 -- not needed


@triton.jit
def pad_kernel(out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + offsets, 0.0)  # tilecheck: ignore TC102 -- the allocator pads


# below TC903: warning
# tilecheck: assume n >= 1
def double(n):
    return 2 * n


def zeros(n: int):
    out = torch.empty((n,), device="cuda", dtype=torch.float32)
    padded = torch.empty((n,), device="cuda", dtype=torch.float32)
    fill_kernel[(triton.cdiv(n, 256),)](out, n, BLOCK=256)
    pad_kernel[(triton.cdiv(n, 256),)](padded, n, BLOCK=256)
    return out, padded
