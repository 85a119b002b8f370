"""A slice of a parameter that ends before the parameter does."""

import torch
import triton
import triton.language as tl


@triton.jit
def fill(out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + offs, 1.0, mask=offs < n)  # TC102: refuted; TC401: proved-if `out[: n - 1]` is contiguous; TC403: proved-if `out[: n - 1]` is contiguous


def f(out):
    (n,) = out.shape
    out = out[: n - 1]
    fill[(triton.cdiv(n, 256),)](out, n, BLOCK=256)
