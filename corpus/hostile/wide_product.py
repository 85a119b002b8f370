import torch
import triton
import triton.language as tl


@triton.jit
def k(x_ptr, out_ptr, n, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    o = 0
    if n > 2147483647:
        o = (n * n) // n - 1  # TC301: unknown replay-mismatch
    tl.store(out_ptr + o, 1.0)  # TC102: unknown nonlinear; TC401: unknown nonlinear; TC403: unknown nonlinear


# tilecheck: max-numel 2**40; assume n >= 1
def f(n: int):
    x = torch.empty((n,), device="cuda")
    out = torch.empty((n,), device="cuda")
    grid = lambda meta: (triton.cdiv(n, meta["BLOCK"]),)
    k[(1,)](x, out, n, BLOCK=256, EVEN=False)
    return out
