"""Pattern: index tiles that are turned round, joined, split and interleaved."""

import torch
import triton
import triton.language as tl


@triton.jit
def pairs_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    start = tl.program_id(0) * 2 * BLOCK
    half = tl.arange(0, BLOCK)
    even = start + 2 * half
    offsets = tl.interleave(even, even + 1)
    x = tl.load(x_ptr + offsets, mask=offsets < n, other=0.0)
    left, right = tl.split(tl.reshape(x, (BLOCK, 2)))
    pairs = tl.join(even, even + 1)
    low, high = tl.split(pairs)
    a = tl.load(x_ptr + low, mask=low < n, other=0.0)  # TC701: hint
    b = tl.load(x_ptr + high, mask=high < n, other=0.0)  # TC701: hint
    back = tl.flip(start + tl.arange(0, 2 * BLOCK))
    y = tl.load(x_ptr + back, mask=back < n, other=0.0)
    swapped = tl.join(right + b, left + a) + tl.sum(y)
    tl.store(out_ptr + pairs, swapped, mask=pairs < n)


def swap_pairs(x):
    assert x.is_contiguous()
    n = x.numel()
    out = torch.empty_like(x)
    pairs_kernel[(triton.cdiv(n, 256),)](x, out, n, BLOCK=128)
    return out
