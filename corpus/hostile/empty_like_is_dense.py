import torch
import triton
import triton.language as tl


@triton.jit
def k(x_ptr, out_ptr, M, N, sm, sn, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < M * N
    v = tl.load(x_ptr + offs // N * sm + offs % N * sn, mask=mask)
    tl.store(out_ptr + offs, v, mask=mask)



def f(x):
    M, N = x.shape
    assert N >= 1
    out = torch.empty_like(x)
    k[(triton.cdiv(M * N, 256),)](x, out, M, N, x.stride(0), x.stride(1), BLOCK=256)
    return out
