import torch
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    tl.store(y_ptr + offs, tl.load(x_ptr + offs, mask=mask) * 2, mask=mask)


@triton.jit
def add_up_kernel(x_ptr, total_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offs, mask=offs < n, other=0.0)
    tl.atomic_add(total_ptr, tl.sum(x, axis=0))


# tilecheck: x: f32[n]
def scale(x, steps: int):
    n = x.shape[0]
    y = torch.empty_like(x)
    for step in range(steps):
        scale_kernel[(triton.cdiv(n, 128),)](x, y, n, BLOCK=128)
    return y


# tilecheck: x: f16[n]
def scale_and_add_up(x, add: bool):
    n = x.shape[0]
    total = torch.zeros((1,), dtype=torch.float32)
    if add:
        scale_kernel[(triton.cdiv(n, 128),)](x, x, n, BLOCK=128)
    add_up_kernel[(triton.cdiv(n, 64),)](x, total, n, BLOCK=64)
    return total


# tilecheck: x: f32[n]
def scale_torch(x):
    return x * 2


# tilecheck: x: f32[n]
def growing(x, steps: int):
    for i in range(steps):
        scale_kernel[(triton.cdiv(i, 128),)](x, x, i, BLOCK=128)


def scale_into(out, x, twice: bool):
    n = x.shape[0]
    assert out.shape == x.shape
    scale_kernel[(triton.cdiv(n, 128),)](x, out, n, BLOCK=128)
    if twice:
        scale_kernel[(triton.cdiv(n, 128),)](out, out, n, BLOCK=128)


# tilecheck: x: f16[rows, cols]
def scale_rows(x):
    rows, cols = x.shape
    out = torch.empty((cols,), dtype=torch.float32)
    for i in range(rows):
        scale_into(out, x[i], False)
    scale_into(out, out, True)


def scale_shifted(x, n: int):
    scale_some(x, n + 1)


def scale_some(x, n):
    n = n - 1
    scale_kernel[(triton.cdiv(n, 128),)](x, x, n, BLOCK=128)
