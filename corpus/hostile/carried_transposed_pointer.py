import torch
import triton
import triton.language as tl


@triton.jit
def k(x_ptr, out_ptr, n, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    i = tl.arange(0, 16)
    p = out_ptr + i[:, None] * 16 + i[None, :]
    m = i[:, None] * 16 + i[None, :] < n
    for t in range(2):
        tl.store(p, 1.0, mask=m)  # TC102: unknown unsupported-construct; TC401: unknown unsupported-construct; TC403: unknown unsupported-construct
        p = tl.trans(p)



def f(n: int):
    x = torch.empty((n,), device="cuda")
    out = torch.empty((n,), device="cuda")
    grid = lambda meta: (triton.cdiv(n, meta["BLOCK"]),)
    k[(1,)](x, out, n, BLOCK=256, EVEN=False)
    return out
