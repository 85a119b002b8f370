"""Each of the flags gives a tensor of its own: more programs than are checked."""

import torch
import triton
import triton.language as tl


@triton.jit
def add_up(a_ptr, b_ptr, c_ptr, d_ptr, e_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)  # TC301: unknown resource-limit
    mask = offs < n
    s = tl.load(b_ptr + offs, mask=mask)  # TC101: unknown resource-limit; TC402: unknown resource-limit; TC403: unknown resource-limit; TC502: unknown resource-limit
    s += tl.load(c_ptr + offs, mask=mask)  # TC101: unknown resource-limit; TC402: unknown resource-limit; TC403: unknown resource-limit; TC502: unknown resource-limit
    s += tl.load(d_ptr + offs, mask=mask)  # TC101: unknown resource-limit; TC402: unknown resource-limit; TC403: unknown resource-limit; TC502: unknown resource-limit
    s += tl.load(e_ptr + offs, mask=mask)  # TC101: unknown resource-limit; TC402: unknown resource-limit; TC403: unknown resource-limit; TC502: unknown resource-limit
    tl.store(a_ptr + offs, s, mask=mask)  # TC102: unknown resource-limit; TC401: unknown resource-limit; TC403: unknown resource-limit


def f(n: int, a: bool, b: bool, c: bool, d: bool, e: bool):
    x = torch.empty((n if a else 2 * n,), device="cuda")
    u = torch.ones((n,), device="cuda") if b else torch.ones((n, 2), device="cuda")
    v = torch.ones((n,), device="cuda") if c else torch.ones((n, 2), device="cuda")
    w = torch.ones((n,), device="cuda") if d else torch.ones((n, 2), device="cuda")
    y = torch.ones((n,), device="cuda") if e else torch.ones((n, 2), device="cuda")
    z = torch.ones((n,), device="cuda") if a else torch.ones((n, 2), device="cuda")
    add_up[(triton.cdiv(n, 256),)](x, u, v, w, y if n > 9 else z, n, BLOCK=256)  # TC904: note; TC601: unknown resource-limit
