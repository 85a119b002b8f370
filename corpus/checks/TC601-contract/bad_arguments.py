"""Arguments that do not fit: one is missing, one too many, one twice; a grid of
four axes."""

import torch
import triton
import triton.language as tl


@triton.jit
def fill_kernel(out_ptr, n, BLOCK: tl.constexpr, VALUE: tl.constexpr = 1.0):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + offs, VALUE, mask=offs < n)  # TC102: unknown nonlinear


@triton.autotune(configs=[triton.Config({"BLOCK": 64}, num_warps=4)], key=["n"])
@triton.jit
def tuned_kernel(out_ptr, n, BLOCK: tl.constexpr, num_warps: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + offs, 1.0, mask=offs < n)


def fill(n: int):
    out = torch.empty((n,), device="cuda")
    fill_kernel[(triton.cdiv(n, 64),)](out, BLOCK=64)  # TC601: refuted
    fill_kernel[(triton.cdiv(n, 64),)](out, n, 64, 2.0, 3)  # TC601: refuted
    fill_kernel[(triton.cdiv(n, 64),)](out, n, 64, BLOCK=64)  # TC601: refuted
    fill_kernel[(triton.cdiv(n, 64), 1, 1, 1)](out, n, 64)  # TC601: refuted
    fill_kernel[(triton.cdiv(n, 64),)](out, n, 64)
    tuned_kernel[(triton.cdiv(n, 64),)](out, n)
    return out
