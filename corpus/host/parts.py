"""Parts of tensors by the names of their methods, with the sizes that torch
gives them."""

import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(a_ptr, b_ptr, c_ptr, m, n, stride_a, stride_b, stride_c,
               BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    cols = tl.arange(0, BLOCK)
    mask = cols < n
    a = tl.load(a_ptr + row * stride_a + cols, mask=mask)
    b = tl.load(b_ptr + row * stride_b + cols, mask=mask)
    tl.store(c_ptr + row * stride_c + cols, a + b, mask=mask)


@triton.jit
def add_wide_kernel(a_ptr, b_ptr, c_ptr, m, n, stride_a, stride_b, stride_c,
                    BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    cols = tl.arange(0, BLOCK)
    a = tl.load(a_ptr + row * stride_a + cols, mask=cols <= n)  # TC101: refuted
    b = tl.load(b_ptr + row * stride_b + cols, mask=cols < n)
    tl.store(c_ptr + row * stride_c + cols, a + b, mask=cols <= n)  # TC102: refuted


def halves(x):
    m, n2 = x.shape
    x = x.contiguous()
    a, b = x.chunk(2, dim=-1)
    n = n2 // 2
    assert n2 % 2 == 0 and 1 <= n <= 1024
    c = torch.empty((m, n), device=x.device)
    add_kernel[(m,)](a, b, c, m, n, a.stride(0), b.stride(0), n, BLOCK=1024)
    add_wide_kernel[(m,)](a, b, c, m, n, a.stride(0), b.stride(0), n, BLOCK=1024)
    return c


def listed(m: int, n: int):
    assert 1 <= n <= 1024
    x = torch.randn((m, 2 * n + 3), device="cuda")
    a, _, b = x.split([n, 3, n], dim=1)
    c = torch.empty((m, n), device=x.device)
    add_kernel[(m,)](a, b, c, m, n, a.stride(0), b.stride(0), n, BLOCK=1024)
    return c


def narrowed(m: int, n: int):
    assert 1 <= n <= 1024
    x = torch.randn((m, 3, n), device="cuda")
    a, b = x.select(1, 0), x.narrow(1, 1, 2).flatten(1, 2).contiguous()
    c = (a.exp() * a).repeat(2, 1).unflatten(0, (2, m)).select(0, 1)
    add_kernel[(m,)](a, b, c, m, n, a.stride(0), 2 * n, n, BLOCK=1024)
    return c
