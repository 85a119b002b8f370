import torch
import triton
import triton.language as tl


@triton.jit
def k(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    j = 0
    v = tl.zeros((BLOCK,), tl.float32)
    while j < n:
        v += tl.load(x_ptr + j)  # TC101: unknown nonlinear; TC502: unknown nonlinear
        j += 1  # TC301: unknown imprecise-loop
    tl.store(out_ptr + offs, v, mask=mask)


def f(n: int):
    x = torch.empty((n,), device="cuda")
    out = torch.empty((n,), device="cuda")
    k[(triton.cdiv(n, 256),)](x, out, n, BLOCK=256)
    return out
