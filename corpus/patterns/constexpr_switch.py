"""Pattern: a constexpr switch for an optional tensor.

Without a bias the kernel gets None, and the branch that reads it is not
compiled.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def affine_kernel(x_ptr, weight_ptr, bias_ptr, out_ptr, stride_x, stride_out,
                  N, HAS_BIAS: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < N
    x = tl.load(x_ptr + row * stride_x + cols, mask=mask)
    y = x * tl.load(weight_ptr + cols, mask=mask)
    if HAS_BIAS:
        y += tl.load(bias_ptr + cols, mask=mask)
    tl.store(out_ptr + row * stride_out + cols, y, mask=mask)


# tilecheck: x: f32[M, N] stride (s, 1); weight: f32[N]; bias: f32[N]
# tilecheck: assume 1 <= N <= 2**20
def affine(x, weight, bias=None):
    M, N = x.shape
    out = torch.empty((M, N), device=x.device, dtype=x.dtype)
    affine_kernel[(M,)](x, weight, bias, out, x.stride(0), out.stride(0), N,
                        HAS_BIAS=bias is not None,
                        BLOCK=triton.next_power_of_2(N))
    return out
