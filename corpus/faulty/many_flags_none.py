"""The row of weights, where there is one, is too short for one value of a flag."""

import torch
import triton
import triton.language as tl


@triton.jit
def weigh(x_ptr, w_ptr, out_ptr, n, NEGATE: tl.constexpr, HALF: tl.constexpr, ADD: tl.constexpr, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    x = tl.load(x_ptr + offs, mask=mask)
    if w_ptr is not None:
        x *= tl.load(w_ptr + offs, mask=mask)  # TC101: refuted {weighted=1, half=1}
    if NEGATE:
        x = -x
    if HALF:
        x = x * 0.5
    if ADD:
        x += 1
    tl.store(out_ptr + offs, x, mask=mask)


def f(x, weighted: bool, negate: bool = False, half: bool = False, add: bool = False):
    assert x.is_contiguous()
    n = x.numel()
    w = torch.ones(n // 2 if half else n, device=x.device) if weighted else None
    out = torch.empty_like(x)
    weigh[(triton.cdiv(n, 256),)](x, w, out, n, negate, half, add, BLOCK=256)
    return out
