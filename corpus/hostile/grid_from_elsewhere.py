import torch
import triton
import triton.language as tl


from lib import get_grid
@triton.jit
def k(x_ptr, out_ptr, n, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)  # TC301: unknown nonlinear
    if EVEN:
        tl.store(out_ptr + offs, 1.0)  # TC102: unknown nonlinear; TC401: unknown nonlinear; TC403: unknown nonlinear
    else:
        tl.store(out_ptr + offs, 1.0, mask=offs < n)



def f(n: int):
    x = torch.empty((n,), device="cuda")
    out = torch.empty((n,), device="cuda")
    grid = lambda meta: (triton.cdiv(n, meta["BLOCK"]),)
    k[get_grid(n)](x, out, n, BLOCK=256, EVEN=True)
    return out
