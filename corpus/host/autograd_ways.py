"""Where forward ends in two ways, or after what nobody knows, backward gets
something else: nothing of it is taken for granted."""

import torch
import triton
import triton.language as tl


@triton.jit
def copy_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offs, mask=offs < n)  # TC101: unknown nonlinear
    tl.store(y_ptr + offs, x, mask=offs < n)


class TwoWays(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.n = x.numel()
        if x.dim() == 1:
            ctx.n = 2 * ctx.n
            return x
        return x.clone()

    @staticmethod
    def backward(ctx, dy):
        n = ctx.n
        out = torch.empty((n,), device=dy.device)
        copy_kernel[(triton.cdiv(n, 64),)](dy, out, n, BLOCK=64)
        return out
