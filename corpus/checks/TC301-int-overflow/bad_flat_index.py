"""Flat index of a vector longer than 2**31: the index wraps before it meets
the mask, and the mask lets it pass. Up to 2**31 elements the
accesses hold."""

import torch
import triton
import triton.language as tl


@triton.jit
def negate_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)  # TC301: refuted
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)  # TC101: proved-if n <= 2**31
    tl.store(out_ptr + offsets, -x, mask=mask)  # TC102: proved-if n <= 2**31; TC401: proved-if n <= 2**31; TC403: proved-if n <= 2**31


# tilecheck: x: i8[n]; max-numel 2**40
def negate(x):
    n = x.shape[0]
    out = torch.empty((n,), device=x.device, dtype=x.dtype)
    negate_kernel[(triton.cdiv(n, 1024),)](x, out, n, BLOCK=1024)
    return out
