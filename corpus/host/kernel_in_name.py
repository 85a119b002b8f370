"""A local holds one of two kernels, or one that was compiled before."""

import torch
import triton
import triton.language as tl


@triton.jit
def ones(out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + offs, 1.0, mask=offs < n)


@triton.jit
def exact(out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + offs, 1.0)


@triton.jit
def rounded(out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + offs, 1.0)  # TC102: refuted {n=1}


@triton.jit
def rows(out_ptr, stride, m, n, BLOCK: tl.constexpr, STAGES: tl.constexpr):
    cols = tl.arange(0, BLOCK)
    for row in tl.range(tl.program_id(0), m, tl.num_programs(0),  # TC301: proved-if m <= 2**30
                        num_stages=STAGES):
        tl.store(out_ptr + row * stride + cols, 1.0, mask=cols < n)  # TC102: proved-if m <= 2**30 and n >= 1 and n <= 2**20; TC401: proved-if m <= 2**30; TC403: proved-if m <= 2**30


@triton.jit
def rows_wide(out_ptr, stride, m, n, BLOCK: tl.constexpr, STAGES: tl.constexpr):
    cols = tl.arange(0, BLOCK)
    for row in tl.range(tl.program_id(0), m, tl.num_programs(0),  # TC301: proved-if m <= 2**30
                        num_stages=STAGES):
        tl.store(out_ptr + row * stride + cols, 1.0)  # TC102: unknown nonlinear; TC401: unknown nonlinear; TC403: unknown nonlinear


def either(n: int):
    out = torch.empty((n,), device="cuda")
    if n % 64 == 0:
        kernel = exact
    else:
        kernel = ones
    kernel[(triton.cdiv(n, 64),)](out, n, BLOCK=64)
    other = rounded if n > 0 else ones
    other[(triton.cdiv(n, 64),)](out, n, BLOCK=64)


def compiled(m: int, n: int):
    out = torch.empty((m, n), device="cuda")
    block = triton.next_power_of_2(n)
    stages = 4 if torch.cuda.get_device_properties(0).warp_size > 32 else 2
    kernel = rows.warmup(out, n, m, n, BLOCK=block, STAGES=stages, grid=(1,))
    programs = min(kernel.n_regs // 32, m)
    kernel[(programs, 1, 1)](out, n, m, n, block, stages)
    wide = rows_wide.warmup(out, n, m, n, BLOCK=block, STAGES=2, grid=(1,))
    wide[(programs, 1, 1)](out, n, m, n)
