"""Programs beyond the end do not return: the surplus ones write past it."""

import torch
import triton
import triton.language as tl


@triton.jit
def double_kernel(x_ptr, out_ptr, n_blocks, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    offsets = pid * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets)  # TC101: refuted
    tl.store(out_ptr + offsets, x + x)  # TC102: refuted


def double(x):
    n = x.shape[0]
    assert n % 128 == 0 and x.is_contiguous()
    out = torch.empty((n,), device=x.device, dtype=x.dtype)
    grid = (triton.cdiv(n // 128, 4) * 4,)
    double_kernel[grid](x, out, n // 128, BLOCK=128)
    return out
