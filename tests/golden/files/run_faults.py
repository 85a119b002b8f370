"""Kernels that go wrong when they run, each in its own way."""

import torch
import triton
import triton.language as tl


@triton.jit
def outside_kernel(x_ptr, y_ptr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i))


# tilecheck: x: f32[n]
def outside(x):
    n = x.shape[0]
    y = torch.empty((n,), dtype=torch.float32)
    outside_kernel[(triton.cdiv(n, 4),)](x, y, BLOCK=4)
    return y


@triton.jit
def overlap_kernel(x_ptr, y_ptr):
    i = tl.program_id(0)
    tl.store(y_ptr + i // 2, tl.load(x_ptr + i))


# tilecheck: x: f32[n]
def overlap(x):
    n = x.shape[0]
    y = torch.empty((n,), dtype=torch.float32)
    overlap_kernel[(n,)](x, y)
    return y


@triton.jit
def neighbour_kernel(x_ptr, n):
    i = tl.program_id(0)
    left = tl.load(x_ptr + i)
    tl.store(x_ptr + (i + 1) % n, left)


# tilecheck: x: f32[n]
def neighbour(x):
    n = x.shape[0]
    neighbour_kernel[(n,)](x, n)


@triton.jit
def lanes_kernel(x_ptr, y_ptr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(y_ptr + i // 2, tl.load(x_ptr + i))


# tilecheck: x: f32[8]
def lanes(x):
    y = torch.empty((8,), dtype=torch.float32)
    lanes_kernel[(1,)](x, y, BLOCK=8)
    return y


@triton.jit
def undefined_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, x)


# tilecheck: x: f32[n]
def undefined(x):
    n = x.shape[0]
    y = torch.empty((8,), dtype=torch.float32)
    undefined_kernel[(1,)](x, y, n, BLOCK=8)
    return y


@triton.jit
def divide_kernel(x_ptr, y_ptr, n):
    i = tl.program_id(0)
    tl.store(y_ptr + i, tl.load(x_ptr + i) // (i - n))


# tilecheck: x: i32[m]
def divide(x, n):
    m = x.shape[0]
    y = torch.empty((m,), dtype=torch.int32)
    divide_kernel[(m,)](x, y, n)
    return y


@triton.jit
def inline_kernel(x_ptr, y_ptr):
    i = tl.program_id(0)
    v = tl.inline_asm_elementwise("mov $0, $1;", "=r,r", [tl.load(x_ptr + i)],
                                  dtype=tl.int32, is_pure=True, pack=1)
    tl.store(y_ptr + v, v)


# tilecheck: x: i32[m]
def inline(x):
    m = x.shape[0]
    y = torch.empty((m,), dtype=torch.int32)
    inline_kernel[(m,)](x, y)
    return y


@triton.jit
def lock_kernel(x_ptr, lock_ptr):
    while tl.atomic_xchg(lock_ptr, 1) == 1:
        pass
    tl.store(x_ptr, tl.load(x_ptr) + 1.0)
    tl.atomic_xchg(lock_ptr, 0)


# tilecheck: x: f32[1]
def lock(x):
    lock_word = torch.zeros((1,), dtype=torch.int32)
    lock_kernel[(5,)](x, lock_word)


@triton.jit
def step_kernel(x_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(x_ptr + i, x + 1.0, mask=i < n)


# tilecheck: x: f32[n]
def repeated(x, times: int):
    n = x.shape[0]
    for i in range(times):
        step_kernel[(triton.cdiv(n, 4),)](x, n, BLOCK=4)


# tilecheck: x: f32[n]
def between(x):
    n = x.shape[0]
    step_kernel[(triton.cdiv(n, 4),)](x, n, BLOCK=4)
    x *= 2.0
    step_kernel[(triton.cdiv(n, 4),)](x, n, BLOCK=4)


# tilecheck: x: f32[n]
def twice(x):
    n = x.shape[0]
    step_kernel[(triton.cdiv(n, 4),)](x, n, BLOCK=4)
    step_kernel[(triton.cdiv(n, 8),)](x, n, BLOCK=8)


# tilecheck: x: f32[n]
def refused(x):
    n = x.shape[0]
    if n > 100:
        step_kernel[(triton.cdiv(n, 4),)](x, n, BLOCK=4)
