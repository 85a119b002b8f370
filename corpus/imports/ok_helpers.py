"""Helpers of another file: re-exported under other names, through a module's
name, one of two that an environment variable picks."""

import torch
import triton
import triton.language as tl

import blocks.tiles as tiles
from blocks import LOG2E, block_span, guarded_row


@triton.jit
def softplus_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    x = guarded_row(x_ptr, n, pid, BLOCK)
    y = tl.log(1.0 + tiles.power(x)) * LOG2E + tiles.squash(x)
    offsets = block_span(pid, BLOCK)
    tl.store(out_ptr + offsets, y, mask=offsets < n)


def softplus(x):
    assert x.is_contiguous()
    n = x.numel()
    out = torch.empty_like(x)
    softplus_kernel[(triton.cdiv(n, 256),)](x, out, n, BLOCK=256)
    return out
