"""How many elements are written is read from memory, and nobody says how many."""

import torch
import triton
import triton.language as tl


@triton.jit
def fill_kernel(out_ptr, count_ptr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    count = tl.load(count_ptr)
    tl.store(out_ptr + offsets, 1.0, mask=offsets < count)  # TC102: unknown nonlinear


# tilecheck: count: i32[1]; out: f32[n]
def fill(out, count):
    n = out.shape[0]
    fill_kernel[(triton.cdiv(n, 256),)](out, count, BLOCK=256)
    return out
