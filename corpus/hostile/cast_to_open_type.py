"""A cast to an element type that nobody knows may cut a number off."""

import torch
import triton
import triton.language as tl


@triton.jit
def cast_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    there = offs.to(y_ptr.dtype.element_ty).to(tl.int32)
    tl.store(x_ptr + there, 0.0, mask=offs < n)  # TC102: unknown unsupported-construct; TC401: unknown unsupported-construct; TC403: unknown unsupported-construct


def f(y, n: int):
    x = torch.empty((n,), device="cuda")
    cast_kernel[(triton.cdiv(n, 256),)](x, y, n, BLOCK=256)
    return x
