"""Pattern: names that are bound and used under the same compile-time condition,
which no launch here fixes."""

import torch
import triton
import triton.language as tl


@triton.jit
def halves_kernel(x_ptr, out_ptr, n, K: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    first = tl.load(x_ptr + row * K + cols, mask=cols < K, other=0.0)
    if K > BLOCK:
        more = cols + BLOCK
        second_ptr = x_ptr + row * K
        second = tl.load(second_ptr + more, mask=more < K, other=0.0)
    total = tl.sum(first)
    for _ in range(0, n):
        total *= 0.5
        if K > BLOCK:
            total += tl.sum(second)
            second = second * 0.5
    if K > BLOCK:
        total += tl.sum(tl.load(second_ptr + more, mask=more < K, other=0.0))
    tl.store(out_ptr + row, total)


def halves(x, n: int):
    rows, K = x.shape
    assert x.is_contiguous()
    assert K <= 128
    out = torch.empty((rows,), device=x.device, dtype=x.dtype)
    halves_kernel[(rows,)](x, out, n, K=K, BLOCK=64)
    return out
