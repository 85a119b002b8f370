"""Of many flags two together do harm: then rows are written past the last one."""

import torch
import triton
import triton.language as tl


@triton.jit
def place(x_ptr, out_ptr, n, SHIFT: tl.constexpr, WIDE: tl.constexpr, NEGATE: tl.constexpr, MODE: tl.constexpr, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    x = tl.load(x_ptr + offs, mask=mask)
    if NEGATE:
        x = -x
    if MODE == "twice":
        x = x * 2
    elif MODE == "thrice":
        x = x * 3
    at = offs
    if SHIFT:
        if WIDE:
            at = offs + 1
    tl.store(out_ptr + at, x, mask=mask)  # TC102: refuted {n=1, shift=1, wide=1}


def f(x, shift: bool, wide: bool, negate: bool, mode="twice"):
    assert x.is_contiguous()
    n = x.numel()
    out = torch.empty_like(x)
    place[(triton.cdiv(n, 256),)](x, out, n, shift, wide, negate, mode, BLOCK=256)
    return out
