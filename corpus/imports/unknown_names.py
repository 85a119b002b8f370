"""Names that no file of the project tells: a module that is not there, one that
imports itself in a circle, a constant that the environment decides."""

import torch
import triton
import triton.language as tl

from blocks.absent import shift_of
from blocks.numbers import LANES
from circle import turn


@triton.jit
def lanes_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets + shift_of(1), mask=mask)  # TC101: unknown unsupported-construct; TC904: note
    y = tl.load(x_ptr + offsets + turn(1), mask=mask)  # TC101: unknown unsupported-construct; TC904: note
    z = tl.load(x_ptr + offsets * LANES, mask=mask)  # TC101: unknown unsupported-construct; TC904: note; TC402: unknown unsupported-construct; TC403: unknown unsupported-construct
    tl.store(out_ptr + offsets, x + y + z, mask=mask)  # TC401: unknown unsupported-construct; TC403: unknown unsupported-construct


def lanes(x):
    assert x.is_contiguous()
    n = x.numel()
    out = torch.empty_like(x)
    lanes_kernel[(triton.cdiv(n, 256),)](x, out, n, BLOCK=256)
    return out
