"""Pattern: a fixed number of programs, each of which takes an equal share of the
rows; the last one takes what is left, the ones after it nothing."""

import torch
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x_ptr, out_ptr, M, N, rows_per_program, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    first = pid * rows_per_program
    last = min((pid + 1) * rows_per_program, M)
    for row in range(first, last):
        x = tl.load(x_ptr + row * N + cols, mask=cols < N)
        tl.store(out_ptr + row * N + cols, 2 * x, mask=cols < N)


def scale(x, programs=132):
    assert x.is_contiguous()
    M, N = x.shape
    assert programs > 0
    assert programs * triton.cdiv(M, programs) + 1 <= 2**31
    assert 1 <= N <= 2**20
    out = torch.empty_like(x)
    scale_kernel[(programs,)](x, out, M, N, triton.cdiv(M, programs),
                              BLOCK=triton.next_power_of_2(N))
    return out
