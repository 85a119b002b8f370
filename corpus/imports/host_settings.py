"""Block sizes, checks and changes of the host code by functions of another
file."""

import torch
import triton
import triton.language as tl

from .blocks import settings
from .blocks.settings import block_for, check_rows, shrink_


@triton.jit
def scale_kernel(x_ptr, w_ptr, y_ptr, m, n, BLOCK: tl.constexpr):
    cols = tl.arange(0, BLOCK)
    mask = cols < n
    w = tl.load(w_ptr + cols, mask=mask)
    for row in range(tl.program_id(0), m, tl.num_programs(0)):
        x = tl.load(x_ptr + row.to(tl.int64) * n + cols, mask=mask)
        tl.store(y_ptr + row.to(tl.int64) * n + cols, x * w, mask=mask)


@triton.jit
def ones_kernel(y_ptr, n, BLOCK: tl.constexpr):
    cols = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + cols, 1.0, mask=cols < n)  # TC102: unknown nonlinear


@triton.jit
def wide_kernel(y_ptr, m, n, BLOCK: tl.constexpr):
    cols = tl.arange(0, BLOCK)
    tl.store(y_ptr + tl.program_id(0).to(tl.int64) * n + cols, 1.0)  # TC102: refuted


def scale(x, w):
    m, n = x.shape
    assert n >= 1
    x, w = x.contiguous(), w.contiguous()
    check_rows(w, n)
    y = torch.empty_like(x)
    block, warps = block_for(n)
    programs = settings.multiprocessors()
    scale_kernel[(programs,)](x, w, y, m, n, BLOCK=block, num_warps=warps)
    wide_kernel[(m,)](y, m, n, BLOCK=block)
    return y


def shrunk(n: int):
    y = torch.empty((n,), device="cuda")
    shrink_(y)
    ones_kernel[(triton.cdiv(n, settings.MOST),)](y, n, BLOCK=settings.MOST)
    return y
