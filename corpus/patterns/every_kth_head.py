"""Pattern: a program for each query head; the first one of each group works on
the key head that the group shares as well."""

import torch
import triton
import triton.language as tl


@triton.jit
def scale_kernel(q_ptr, k_ptr, D, GROUP: tl.constexpr, BLOCK: tl.constexpr):
    head = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    q = tl.load(q_ptr + head * D + cols, mask=cols < D)
    tl.store(q_ptr + head * D + cols, 2 * q, mask=cols < D)
    if head % GROUP == 0:
        at = (head // GROUP) * D + cols
        k = tl.load(k_ptr + at, mask=cols < D)
        tl.store(k_ptr + at, 2 * k, mask=cols < D)


def scale(q, k):
    assert q.is_contiguous() and k.is_contiguous()
    H, D = q.shape
    assert 1 <= D <= 2**20
    assert k.shape[1] == D
    assert k.shape[0] * 4 == H
    scale_kernel[(H,)](q, k, D, GROUP=4, BLOCK=triton.next_power_of_2(D))
    return q, k
