import torch
import triton
import triton.language as tl


@triton.jit
def k(x_ptr, out_ptr, n, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    i = tl.arange(0, 16)
    v = tl.view(i[None, :] + i[:, None] * 16, (256,))  # TC904: note
    tl.store(out_ptr + v, 1.0, mask=tl.arange(0, 256) < n)  # TC102: unknown unsupported-construct; TC403: unknown unsupported-construct
    w = tl.reshape(i[None, :] + i[:, None] * 16, (256,), can_reorder=True)  # TC904: note
    tl.store(out_ptr + w, 1.0, mask=tl.arange(0, 256) < n)  # TC102: unknown unsupported-construct; TC403: unknown unsupported-construct



def f(n: int):
    x = torch.empty((n,), device="cuda")
    out = torch.empty((n,), device="cuda")
    grid = lambda meta: (triton.cdiv(n, meta["BLOCK"]),)
    k[(1,)](x, out, n, BLOCK=256, EVEN=False)
    return out
