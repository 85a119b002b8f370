import torch
import triton
import triton.language as tl


@triton.jit
def k(x_ptr, n, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr, D: tl.constexpr, E: tl.constexpr, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)  # TC301: unknown resource-limit
    s = 0
    if not A:
        s += 1
    if not B:
        s += 1
    if not C:
        s += 1
    if not D:
        s += 1
    if not E:
        s += 1
    tl.store(x_ptr + offs + s, 0.0, mask=offs < n)  # TC102: unknown resource-limit; TC401: unknown resource-limit; TC403: unknown resource-limit


def f(n: int, a: bool, b: bool, c: bool, d: bool, e: bool):
    x = torch.empty((n + 4,), device="cuda")
    k[(triton.cdiv(n, 256),)](x, n, a, b, c, d, e, BLOCK=256)  # TC904: note; TC601: unknown resource-limit
