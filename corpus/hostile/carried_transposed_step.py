import torch
import triton
import triton.language as tl


@triton.jit
def k(x_ptr, out_ptr, n, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    i = tl.arange(0, 16)
    o = i[:, None] * 16 + i[None, :]
    m = i[:, None] * 16 + i[None, :] < n - 1
    for t in range(2):
        tl.store(out_ptr + o, 1.0, mask=m)  # TC102: unknown imprecise-loop; TC403: unknown imprecise-loop
        o = tl.trans(o) + 1



def f(n: int):
    x = torch.empty((n,), device="cuda")
    out = torch.empty((n,), device="cuda")
    grid = lambda meta: (triton.cdiv(n, meta["BLOCK"]),)
    k[(1,)](x, out, n, BLOCK=256, EVEN=False)
    return out
