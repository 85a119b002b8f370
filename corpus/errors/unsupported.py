"""A construct that is not understood takes with it what depends on it, and
nothing else."""

import torch
import triton
import triton.language as tl


@triton.jit
def shuffle_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    shuffled = tl.inline_asm_elementwise(  # TC904: note
        "xor.b32 $0, $1, 1;", "=r,r", [offsets], dtype=tl.int32,
        is_pure=True, pack=1)
    x = tl.load(x_ptr + shuffled, mask=mask)  # TC101: unknown unsupported-construct
    tl.store(out_ptr + offsets, x, mask=mask)


def shuffle(x):
    n = x.shape[0]
    assert x.is_contiguous()
    out = torch.empty((n,), device=x.device, dtype=x.dtype)
    shuffle_kernel[(triton.cdiv(n, 256),)](x, out, n, BLOCK=256)
    return out
