"""A descriptor whose row stride is loaded."""

import torch
import triton
import triton.language as tl


@triton.jit
def strided_kernel(x, stride_ptr, out, M, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    stride = tl.load(stride_ptr)  # TC101: proved-if `stride` is contiguous
    desc = tl.make_tensor_descriptor(x, [M, BLOCK], [stride, 1], [1, BLOCK])  # TC103: unknown data-dependent
    tile = desc.load([row, 0])  # TC104: unknown data-dependent
    tl.store(out + row, tl.sum(tile))


# tilecheck: x: f32[M, N] align 16
def strided(x, stride: torch.Tensor):
    M, N = x.shape
    assert stride.numel() >= 1 and stride.dtype == torch.int64
    out = torch.empty((M,), device=x.device, dtype=x.dtype)
    strided_kernel[(M,)](x, stride, out, M, BLOCK=64)
    return out
