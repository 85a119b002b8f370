"""Contract comments that cannot be read, or name what is not there."""

import torch
import triton
import triton.language as tl


@triton.jit
def fill_kernel(out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + offsets, 0.0, mask=offsets < n)


# below TC902: error
# tilecheck: assume n >=
# below TC902: error
# tilecheck: out: f31[n]
# below TC902: error
# tilecheck: assume rows >= 1
def zeros(n: int):
    out = torch.empty((n,), device="cuda", dtype=torch.float32)
    fill_kernel[(triton.cdiv(n, 256),)](out, n, BLOCK=256)
    return out
