import torch
import triton
import triton.language as tl


@triton.jit
def k(x_ptr, out_ptr, n, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    o = tl.arange(0, BLOCK)
    for i in range(2):
        tl.store(out_ptr + o, 1.0)  # TC102: unknown nonlinear; TC401: unknown nonlinear; TC403: unknown nonlinear
        o = o.to(tl.int8).to(tl.int32)  # TC301: refuted



def f(n: int):
    x = torch.empty((256,), device="cuda")
    out = torch.empty((256,), device="cuda")
    grid = lambda meta: (triton.cdiv(n, meta["BLOCK"]),)
    k[(1,)](x, out, n, BLOCK=256, EVEN=False)
    return out
