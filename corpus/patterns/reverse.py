"""Pattern: a reversed index, N - 1 - j."""

import torch
import triton
import triton.language as tl


@triton.jit
def reverse_kernel(x_ptr, out_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(1)
    j = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = j < N
    x = tl.load(x_ptr + row * N + N - 1 - j, mask=mask)
    tl.store(out_ptr + row * N + j, x, mask=mask)


# tilecheck: assume M <= 65535
def reverse_rows(x):
    M, N = x.shape
    assert x.is_contiguous()
    out = torch.empty((M, N), device=x.device, dtype=x.dtype)
    reverse_kernel[(triton.cdiv(N, 256), M)](x, out, N, BLOCK=256)
    return out
