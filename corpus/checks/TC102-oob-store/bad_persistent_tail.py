"""Persistent loop whose store has no mask: the last tile writes past the end."""

import torch
import triton
import triton.language as tl


@triton.jit
def relu_kernel(x_ptr, out_ptr, n, n_tiles, BLOCK: tl.constexpr):
    for tile in range(tl.program_id(0), n_tiles, tl.num_programs(0)):
        offsets = tile * BLOCK + tl.arange(0, BLOCK)
        mask = offsets < n
        x = tl.load(x_ptr + offsets, mask=mask)
        tl.store(out_ptr + offsets, tl.maximum(x, 0.0))  # TC102: refuted {n=1}


def relu(x):
    n = x.shape[0]
    assert x.is_contiguous()
    out = torch.empty((n,), device=x.device, dtype=x.dtype)
    n_tiles = triton.cdiv(n, 1024)
    relu_kernel[(min(132, n_tiles),)](x, out, n, n_tiles, BLOCK=1024)
    return out
