import torch
import triton
import triton.language as tl


@triton.jit
def k(x_ptr, out_ptr, n, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    tl.store(out_ptr + (n - 6) // 4 + 1, 1.0)  # TC102: unknown unsupported-construct



def f(n: int):
    assert n == 1
    out = torch.empty((n,), device="cuda")
    k[(1,)](out, out, n, BLOCK=16, EVEN=True)
