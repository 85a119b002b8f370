"""Pattern: programs add up in shared rows, one after the other: a lock that is
taken by compare-and-swap and given back by an exchange."""

import torch
import triton
import triton.language as tl


@triton.jit
def fold_kernel(x_ptr, out_ptr, lock_ptr, rows, N, GROUPS: tl.constexpr,
                BLOCK: tl.constexpr):
    row = tl.program_id(0)
    group = row % GROUPS
    cols = tl.arange(0, BLOCK)
    mask = cols < N
    x = tl.load(x_ptr + row * N + cols, mask=mask, other=0.0)
    lock = lock_ptr + group
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    out = out_ptr + group * N + cols
    tl.store(out, x + tl.load(out, mask=mask), mask=mask)  # TC401: unknown synchronisation; TC402: unknown synchronisation
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)


def fold(x):
    rows, N = x.shape
    assert x.is_contiguous()
    assert 1 <= N <= 4096
    out = torch.zeros((32, N), device=x.device, dtype=x.dtype)
    locks = torch.zeros((32,), device=x.device, dtype=torch.int32)
    fold_kernel[(rows,)](x, out, locks, rows, N, GROUPS=32,
                         BLOCK=triton.next_power_of_2(N))
    return out
