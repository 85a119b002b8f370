"""Helpers that compute ranges and load; checked where they are called."""

import os

import triton
import triton.language as tl

from .numbers import LOG2E, SKEW

if os.environ.get("FAST") == "1":
    @triton.jit
    def power(x):
        return tl.exp2(x * LOG2E)
else:
    @triton.jit
    def power(x):
        return tl.exp(x)

if hasattr(tl, "sigmoid"):
    squash = tl.sigmoid
else:
    @triton.jit
    def squash(x):
        return None


@triton.jit
def span_of(pid, BLOCK: tl.constexpr):
    return pid * BLOCK + tl.arange(0, BLOCK)  # TC301: proved-if BLOCK*pid + BLOCK <= 2**31


@triton.jit
def guarded_row(base, limit, pid, BLOCK: tl.constexpr):
    offsets = span_of(pid, BLOCK)
    return tl.load(base + offsets, mask=offsets < limit, other=0.0)  # TC101: proved-if `base` has at least limit elements and BLOCK*pid + BLOCK <= 2**31


@triton.jit
def copy_row(base, limit, pid, BLOCK: tl.constexpr, skew=SKEW):
    offsets = span_of(pid, BLOCK)
    return tl.load(base + offsets + skew, mask=offsets < limit)  # TC101: proved-if `base` has at least limit + skew elements and BLOCK*pid + BLOCK <= 2**31
