"""The start of a block is loaded and its axis is not checked."""

import torch
import triton
import triton.language as tl


@triton.jit
def window_kernel(x_ptr, start_ptr, out_ptr, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    start = tl.load(start_ptr + pid)
    x = tl.make_block_ptr(x_ptr, (n,), (1,), (start,), (BLOCK,), (0,))
    out = tl.make_block_ptr(out_ptr, (n,), (1,), (pid * BLOCK,), (BLOCK,), (0,))
    checked = tl.load(x, boundary_check=(0,), padding_option="zero")
    y = tl.load(x)  # TC103: unknown data-dependent; TC104: proved-if values of `start` are in [0, n - 63)
    tl.store(out, checked + y, boundary_check=(0,))


def window(x, start: torch.Tensor):
    n = x.shape[0]
    assert x.is_contiguous()
    assert start.dtype == torch.int32
    assert start.is_contiguous() and start.numel() >= triton.cdiv(n, 64)
    out = torch.empty_like(x)
    window_kernel[(triton.cdiv(n, 64),)](x, start, out, n, BLOCK=64)
    return out
