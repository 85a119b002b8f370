"""What is asserted on one side of an expression does not hold on the other."""

import torch
import triton
import triton.language as tl


@triton.jit
def fill_kernel(x_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x_ptr + offs, 0.0, mask=offs < n)  # TC102: refuted


@triton.jit
def short_kernel(x_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x_ptr + offs, 0.0, mask=offs < n)  # TC102: refuted


@triton.jit
def asserted_kernel(x_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x_ptr + offs, 0.0, mask=offs < n)


def check(n):
    assert n <= 10
    return 1


def in_one_arm(n: int, m: int):
    x = torch.empty((10,), device="cuda")
    y = check(n) if m > 3 else 0
    fill_kernel[(triton.cdiv(n, 64),)](x, n, BLOCK=64)
    return y


def on_the_right(n: int, m: int):
    x = torch.empty((10,), device="cuda")
    y = m > 3 and check(n)
    short_kernel[(triton.cdiv(n, 64),)](x, n, BLOCK=64)
    return y


def in_both_arms(n: int, m: int):
    x = torch.empty((10,), device="cuda")
    y = check(n) if m > 3 else check(n)
    asserted_kernel[(triton.cdiv(n, 64),)](x, n, BLOCK=64)
    return y
