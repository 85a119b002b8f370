"""Programs take turns by a lock: whether they meet depends on it."""

import torch
import triton
import triton.language as tl


@triton.jit
def sum_kernel(x_ptr, total_ptr, lock_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n, other=0.0)
    part = tl.sum(x, axis=0)
    while tl.atomic_xchg(lock_ptr, 1) == 1:
        pass
    total = tl.load(total_ptr)  # TC402: unknown synchronisation
    tl.store(total_ptr, total + part)  # TC401: unknown synchronisation
    tl.atomic_xchg(lock_ptr, 0)


# tilecheck: x: f32[n]
def total(x):
    n = x.shape[0]
    out = torch.zeros((1,), device=x.device)
    lock = torch.zeros((1,), device=x.device, dtype=torch.int32)
    sum_kernel[(triton.cdiv(n, 1024),)](x, out, lock, n, BLOCK=1024)
    return out
