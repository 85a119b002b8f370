"""Of many flags one decides whether a pointer is one address or a tile of them:
its values are looked at one by one, those of the others together."""

import torch
import triton
import triton.language as tl


def stages(wanted):
    return 2 if torch.cuda.get_device_capability()[0] < 8 else wanted


@triton.autotune(
    configs=[
        triton.Config({"BLOCK": 128}, num_warps=4, num_stages=stages(2)),
        triton.Config({"BLOCK": 256}, num_warps=4, num_stages=stages(3)),
        triton.Config({"BLOCK": 512}, num_warps=8, num_stages=stages(3)),
        triton.Config({"BLOCK": 1024}, num_warps=8, num_stages=stages(4)),
        triton.Config({"BLOCK": 2048}, num_warps=8, num_stages=stages(5)),
    ],
    key=["n"],
)
@triton.jit
def scale(x_ptr, s_ptr, out_ptr, n, how: tl.constexpr, NEGATE: tl.constexpr, HALF: tl.constexpr, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    x = tl.load(x_ptr + offs, mask=mask)
    s_mask = None
    if how == "each":
        s_ptr += offs
        s_mask = mask
    s = tl.load(s_ptr, mask=s_mask)
    if NEGATE:
        x = -x
    if HALF:
        x = x * 0.5
    tl.store(out_ptr + offs, x * s, mask=mask)


def f(x, negate: bool, half: bool, how="each"):
    assert x.is_contiguous()
    n = x.numel()
    s = torch.ones(n if how == "each" else 1, device=x.device)
    out = torch.empty_like(x)
    scale[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, s, out, n, how, negate, half)
    return out
