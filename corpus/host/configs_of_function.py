"""Configurations that functions make: with loops, comprehensions, filters of
constants, and one list for each kind of device."""

import itertools

import torch
import triton
import triton.language as tl


def is_cuda():
    return triton.runtime.driver.active.get_current_target().backend == "cuda"


def product(sizes):
    configs = []
    for block, warps in itertools.product(sizes, [4, 8]):
        if block >= 128 or warps == 4:
            configs.append(triton.Config({"BLOCK": block}, num_warps=warps))
    return configs


def blocks():
    if is_cuda():
        return product([64, 128])
    extra = [dict(BLOCK=32), {"BLOCK": 512} | {"waves_per_eu": 2}]
    return [triton.Config(e, num_warps=8) for e in extra]


@triton.autotune(configs=blocks(), key=["n"])
@triton.jit
def good(out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + offs, 1.0, mask=offs < n)


@triton.autotune(configs=blocks(), key=["n"])
@triton.jit
def bad(out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + offs, 1.0, mask=offs < n + BLOCK // 512)  # TC102: refuted {BLOCK=512}


def f(n: int):
    out = torch.empty((n,), device="cuda")
    grid = lambda meta: (triton.cdiv(n, meta["BLOCK"]),)
    good[grid](out, n)
    bad[grid](out, n)
