"""Pooling whose mask forgets the upper border: row -1 of the first image lies in
front of the tensor."""

import torch
import triton
import triton.language as tl


@triton.jit
def max_pool_kernel(x_ptr, out_ptr, n_out, H, W, OH, OW, stride_n, stride_h,
                    stride_w, WINDOW: tl.constexpr, BLOCK: tl.constexpr):
    flat = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    live = flat < n_out
    ow = flat % OW
    oh = (flat // OW) % OH
    image = flat // (OH * OW)
    best = tl.full((BLOCK,), -float("inf"), dtype=tl.float32)
    for kh in range(WINDOW):
        for kw in range(WINDOW):
            h = oh * WINDOW + kh - 1
            w = ow * WINDOW + kw - 1
            mask = live & (h < H) & (w >= 0) & (w < W)
            x = tl.load(x_ptr + image * stride_n + h * stride_h + w * stride_w,  # TC101: refuted
                        mask=mask, other=-float("inf"))
            best = tl.maximum(best, x)
    tl.store(out_ptr + flat, best, mask=live)


def max_pool(x):
    N, H, W = x.shape
    OH = (H - 1) // 3 + 1
    OW = (W - 1) // 3 + 1
    out = torch.empty((N, OH, OW), device=x.device, dtype=x.dtype)
    n_out = N * OH * OW
    max_pool_kernel[(triton.cdiv(n_out, 128),)](
        x, out, n_out, H, W, OH, OW, x.stride(0), x.stride(1), x.stride(2),
        WINDOW=3, BLOCK=128)
    return out
