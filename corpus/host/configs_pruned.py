"""Configurations that a function of its own drops: what is tried is a part of
the list, so a proof stands and a fault may be one of those that are dropped."""

import torch
import triton
import triton.language as tl

CONFIGS = [triton.Config({"BLOCK": 2 ** i}) for i in range(5, 10)]


def keep(config):
    return config.kwargs["BLOCK"] < 256


def early(configs, named_args, **kwargs):
    return [c for c in configs if keep(c)]


@triton.autotune(configs=list(filter(keep, CONFIGS)), key=["n"])  # TC904: note
@triton.jit
def filtered(out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + offs, 1.0, mask=offs < n)
    tl.store(out_ptr + offs, 1.0, mask=offs < n + BLOCK // 512)  # TC102: unknown nonlinear


@triton.autotune(configs=CONFIGS, key=["n"],  # TC904: note
                 prune_configs_by={"early_config_prune": early})
@triton.jit
def pruned(out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + offs, 1.0, mask=offs < n)
    tl.store(out_ptr + offs, 1.0, mask=offs < n + BLOCK // 512)  # TC102: unknown nonlinear


def f(n: int):
    out = torch.empty((n,), device="cuda")
    grid = lambda meta: (triton.cdiv(n, meta["BLOCK"]),)
    filtered[grid](out, n)
    pruned[grid](out, n)
