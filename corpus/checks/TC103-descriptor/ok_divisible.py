"""No axis is checked: the host promises that the blocks divide the sizes."""

import torch
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x_ptr, out_ptr, M, N, BLOCK_M: tl.constexpr,
                 BLOCK_N: tl.constexpr):
    at = (tl.program_id(0) * BLOCK_M, tl.program_id(1) * BLOCK_N)
    x = tl.make_block_ptr(x_ptr, (M, N), (N, 1), at, (BLOCK_M, BLOCK_N), (1, 0))
    out = tl.make_block_ptr(out_ptr, (M, N), (N, 1), at, (BLOCK_M, BLOCK_N),
                            (1, 0))
    tl.store(out, 2 * tl.load(x))


# tilecheck: assume N <= 2**19
def scale(x):
    M, N = x.shape
    assert x.is_contiguous()
    assert M % 16 == 0 and N % 64 == 0
    out = torch.empty_like(x)
    scale_kernel[(M // 16, N // 64)](x, out, M, N, BLOCK_M=16, BLOCK_N=64)
    return out
