"""More flags than there can be programs, one for each value: one program stands
for all of them."""

import torch
import triton
import triton.language as tl


@triton.jit
def smooth(x, mode: tl.constexpr):
    if mode == "square":
        return x * x
    elif mode == "cube":
        return x * x * x
    elif mode == "half":
        return x * 0.5
    return x


@triton.jit
def blend(x_ptr, scale_ptr, shift_ptr, keep_ptr, out_ptr, n, p, MODE: tl.constexpr, HAS_SCALE: tl.constexpr, NEGATE: tl.constexpr, CLIP: tl.constexpr, KEEP: tl.constexpr, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    x = tl.load(x_ptr + offs, mask=mask)
    if HAS_SCALE:
        x = x * tl.load(scale_ptr + offs, mask=mask)
    if shift_ptr is not None:
        x += tl.load(shift_ptr + offs, mask=mask)
    if NEGATE:
        x = -x
    if CLIP:
        x = tl.minimum(x, p)
    x = smooth(x, MODE)
    if KEEP:
        tl.store(keep_ptr + offs, x, mask=mask)
    tl.store(out_ptr + offs, x + tl.where(mask, 1.0, 0.0), mask=mask)


def f(x, scale=None, shift=None, p: float = 1.0, mode="cube", negate: bool = False, clip: bool = True, keep: bool = False):
    n = x.numel()
    assert x.is_contiguous()
    if scale is not None:
        assert scale.numel() == n and scale.is_contiguous()
    if shift is not None:
        assert shift.numel() == n and shift.is_contiguous()
    kept = torch.empty((n,), device=x.device) if keep else None
    out = torch.empty_like(x)
    blend[(triton.cdiv(n, 256),)](
        x,
        scale,
        shift,
        kept,
        out,
        n,
        p,
        mode,
        True if scale is not None else False,
        negate,
        clip,
        keep,
        BLOCK=256,
    )
    return out, kept
