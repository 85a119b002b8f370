"""A descriptor that says one row more than the tensor has: the hardware does
not help against that."""

import torch
import triton
import triton.language as tl


@triton.jit
def copy_kernel(x, out, M, N, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    at = [tl.program_id(0) * BLOCK_M, tl.program_id(1) * BLOCK_N]
    x_desc = tl.make_tensor_descriptor(x, [M + 1, N], [N, 1],
                                       [BLOCK_M, BLOCK_N])
    out_desc = tl.make_tensor_descriptor(out, [M, N], [N, 1],
                                         [BLOCK_M, BLOCK_N])
    tile = x_desc.load(at)  # TC101: refuted
    out_desc.store(at, tile)


# tilecheck: x: f32[M, N] align 16
# tilecheck: assume N <= 2**19
def copy(x):
    M, N = x.shape
    assert x.is_contiguous()
    assert N % 4 == 0
    out = torch.empty_like(x)
    copy_kernel[(triton.cdiv(M, 16), triton.cdiv(N, 64))](
        x, out, M, N, BLOCK_M=16, BLOCK_N=64)
    return out
