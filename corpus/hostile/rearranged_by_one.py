"""Tiles that are turned round, joined and split, each one lane too far."""

import torch
import triton
import triton.language as tl


@triton.jit
def off_by_one_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    start = tl.program_id(0) * BLOCK
    offsets = start + tl.arange(0, BLOCK)
    back = start + BLOCK - tl.flip(tl.arange(0, BLOCK))
    x = tl.load(x_ptr + back, mask=offsets < n, other=0.0)  # TC101: refuted {n=1}
    even = 2 * tl.program_id(0) * BLOCK + 2 * tl.arange(0, BLOCK)  # TC301: refuted
    pairs = tl.join(even, even + 1)
    y = tl.load(x_ptr + pairs, mask=(even < n)[:, None], other=0.0)  # TC101: refuted {n=1}
    low, high = tl.split(pairs)
    z = tl.load(x_ptr + high, mask=low < n, other=0.0)  # TC101: refuted {n=1}; TC701: hint
    counts = tl.histogram(tl.arange(0, BLOCK), BLOCK)
    w = tl.load(x_ptr + counts, mask=offsets < n, other=0.0)  # TC101: unknown unsupported-construct
    tl.store(out_ptr + offsets, x + tl.sum(y) + z + w, mask=offsets < n)


def off_by_one(x):
    assert x.is_contiguous()
    n = x.numel()
    out = torch.empty_like(x)
    off_by_one_kernel[(triton.cdiv(n, 64),)](x, out, n, BLOCK=64)
    return out
