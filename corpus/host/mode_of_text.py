"""A dictionary makes a number of a text that only the caller knows; the shape of
the result and what the kernel stores go by that number."""

import torch
import triton
import triton.language as tl

NONE: tl.constexpr = tl.constexpr(0)
SUM: tl.constexpr = tl.constexpr(1)
MEAN: tl.constexpr = tl.constexpr(2)

MODES = {"none": NONE.value, "sum": SUM.value, "mean": MEAN.value}


@triton.jit
def distance(x_ptr, y_ptr, out_ptr, stride, n, MODE: tl.constexpr, SQUARE: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    total = 0.0
    for start in range(0, n, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        mask = cols < n
        x = tl.load(x_ptr + row * n + cols, mask=mask, other=0.0)
        y = tl.load(y_ptr + row * n + cols, mask=mask, other=0.0)
        d = tl.abs(x - y)
        if SQUARE:
            d = d * d
        if MODE == NONE:
            tl.store(out_ptr + row * stride + cols, d, mask=mask)
        else:
            total += tl.sum(d, axis=0)
    if MODE == SUM:
        tl.store(out_ptr + row * stride, total)
    elif MODE == MEAN:
        tl.store(out_ptr + row * stride, total / n)


def forward(x, y, square, reduction="mean"):
    M, N = x.shape
    assert x.is_contiguous() and y.is_contiguous() and y.shape == x.shape
    mode = MODES[reduction]
    shape = (M, N) if mode == NONE.value else (M,)
    out = torch.zeros(shape, device=x.device)
    distance[(M,)](x, y, out, out.stride(0), N, mode, square, BLOCK=1024)
    return out
