"""The product of two loaded numbers: nobody says how large either is."""

import torch
import triton
import triton.language as tl


@triton.jit
def gather_kernel(x_ptr, row_ptr, width_ptr, out_ptr):
    i = tl.program_id(0)
    row = tl.load(row_ptr + i)
    width = tl.load(width_ptr + i)
    x = tl.load(x_ptr + row * width)  # TC104: unknown data-dependent; TC301: unknown data-dependent
    tl.store(out_ptr + i, x)


# tilecheck: x: f32[size]; rows: i32[n]; widths: i32[n]
def gather(x, rows, widths):
    n = rows.shape[0]
    out = torch.empty((n,), device=x.device, dtype=x.dtype)
    gather_kernel[(n,)](x, rows, widths, out)
    return out
