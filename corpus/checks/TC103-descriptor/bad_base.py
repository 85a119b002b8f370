"""A descriptor that begins at the second element of its tensor."""

import torch
import triton
import triton.language as tl


@triton.jit
def shift_kernel(x, out, n, BLOCK: tl.constexpr):
    start = tl.program_id(0) * BLOCK
    from_desc = tl.make_tensor_descriptor(x + 1, [n - 1], [1], [BLOCK])  # TC103: refuted
    to_desc = tl.make_tensor_descriptor(out, [n - 1], [1], [BLOCK])
    to_desc.store([start], from_desc.load([start]))


# tilecheck: x: f16[n] align 16
def shift(x):
    n = x.shape[0]
    assert n >= 1
    out = torch.empty((n - 1,), device=x.device, dtype=x.dtype)
    shift_kernel[(triton.cdiv(n, 64),)](x, out, n, BLOCK=64)
    return out
