import torch
import triton
import triton.language as tl


@triton.jit
def k(x_ptr, out_ptr, n, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    o = n - 1
    for i in range(2):
        tl.store(out_ptr + o, 1.0, mask=n > 0)  # TC102: proved-if 65536*n - 65535 <= 2**31; TC401: proved-if 65536*n - 65535 <= 2**31; TC403: proved-if 65536*n - 65535 <= 2**31
        o = (o * 65536) // 65536  # TC301: refuted



def f(n: int):
    x = torch.empty((n,), device="cuda")
    out = torch.empty((n,), device="cuda")
    grid = lambda meta: (triton.cdiv(n, meta["BLOCK"]),)
    k[(1,)](x, out, n, BLOCK=256, EVEN=False)
    return out
