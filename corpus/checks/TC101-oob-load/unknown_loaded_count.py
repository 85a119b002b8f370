"""How far the loop goes is read from memory, and nobody says how far that is."""

import torch
import triton
import triton.language as tl


@triton.jit
def sum_kernel(x_ptr, count_ptr, out_ptr):
    total = 0.0
    count = tl.load(count_ptr)
    for i in range(count):
        total += tl.load(x_ptr + i)  # TC101: unknown nonlinear
    tl.store(out_ptr, total)


# tilecheck: x: f32[n]; count: i32[1]
def prefix_sum(x, count):
    out = torch.empty((1,), device=x.device, dtype=torch.float32)
    sum_kernel[(1,)](x, count, out)
    return out
