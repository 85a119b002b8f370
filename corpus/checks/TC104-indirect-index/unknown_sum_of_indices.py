"""The index is the sum of two loaded numbers: no range of one of them would do."""

import torch
import triton
import triton.language as tl


@triton.jit
def gather_kernel(x_ptr, base_ptr, shift_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    base = tl.load(base_ptr + offsets, mask=mask, other=0)
    shift = tl.load(shift_ptr + offsets, mask=mask, other=0)
    x = tl.load(x_ptr + base + shift, mask=mask)  # TC104: unknown data-dependent
    tl.store(out_ptr + offsets, x, mask=mask)


# tilecheck: x: f32[size]; base: i64[n]; shift: i64[n]
def gather(x, base, shift):
    n = base.shape[0]
    out = torch.empty((n,), device=x.device, dtype=x.dtype)
    gather_kernel[(triton.cdiv(n, 256),)](x, base, shift, out, n, BLOCK=256)
    return out
