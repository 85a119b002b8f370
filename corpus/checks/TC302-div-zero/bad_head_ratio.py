"""Heads in groups: more key heads than query heads make the group size 0."""

import torch
import triton
import triton.language as tl


@triton.jit
def group_of_kernel(out_ptr, n, q_heads, kv_heads, BLOCK: tl.constexpr):
    head = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    group_size = q_heads // kv_heads
    group = head // group_size  # TC302: refuted
    tl.store(out_ptr + head, group, mask=head < n)


# tilecheck: assume kv_heads >= 1
def group_of(n: int, q_heads: int, kv_heads: int):
    out = torch.empty((n,), device="cuda", dtype=torch.int32)
    group_of_kernel[(triton.cdiv(n, 64),)](out, n, q_heads, kv_heads, BLOCK=64)
    return out
