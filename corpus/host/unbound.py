"""A local that no branch has bound: the way on which it is used ends there."""

import torch
import triton
import triton.language as tl


@triton.jit
def ones(out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + offs, 1.0, mask=offs < n)


@triton.jit
def twos(out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + offs, 2.0, mask=offs < n)  # TC102: refuted


def fill(n: int, kind: str):
    out = torch.empty((n,), device="cuda")
    if kind == "small":
        block = 64
    elif kind == "large":
        block = 1024
    ones[(triton.cdiv(n, block),)](out, n, BLOCK=block)


def fill_or_default(n: int, kind: str):
    out = torch.empty((n,), device="cuda")
    size = n
    if kind == "more":
        size = n + 1
    twos[(triton.cdiv(n, 64),)](out, size, BLOCK=64)


def fill_imported(n: int, kind: str):
    out = torch.empty((n,), device="cuda")
    if kind == "own":
        size = n
    else:
        from somewhere import size
    twos[(triton.cdiv(n, 64),)](out, size, BLOCK=64)
