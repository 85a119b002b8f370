"""Division by a number that the kernel loads and a `values` clause bounds."""

import torch
import triton
import triton.language as tl


@triton.jit
def bucket_kernel(size_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    size = tl.load(size_ptr)
    bucket = offsets // size
    tl.store(out_ptr + offsets, bucket, mask=offsets < n)


# tilecheck: size: i32[1]; values size in [1, 2**31)
def bucket(size, n: int):
    out = torch.empty((n,), device=size.device, dtype=torch.int32)
    bucket_kernel[(triton.cdiv(n, 128),)](size, out, n, BLOCK=128)
    return out
