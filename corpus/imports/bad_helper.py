"""A helper of another file loads outside: told at its call."""

import torch
import triton
import triton.language as tl

from .blocks import block_span, copy_row


@triton.jit
def copy_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    x = copy_row(x_ptr, n, pid, BLOCK)  # TC101: refuted {n=1}
    offsets = block_span(pid, BLOCK)
    tl.store(out_ptr + offsets, x, mask=offsets < n)


def copy(x):
    assert x.is_contiguous()
    n = x.numel()
    out = torch.empty_like(x)
    copy_kernel[(triton.cdiv(n, 256),)](x, out, n, BLOCK=256)
    return out
