import torch
import triton
import triton.language as tl


@triton.jit
def add(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, x + 1, mask=i < n)  # tilecheck: ignore TC102 -- nothing to ignore


def run(x):
    x = x.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    add[(triton.cdiv(n, 64),)](x, y, n, BLOCK=64)
    return y
