"""One flag decides about the tensor and about the constexpr."""

import torch
import triton
import triton.language as tl


@triton.jit
def fill(out_ptr, label_ptr, n, BLOCK: tl.constexpr, HAS: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.zeros((BLOCK,), tl.float32)
    if HAS:
        v = tl.load(label_ptr + offs, mask=offs < n)  # TC101: proved-if labels.numel() >= n and `labels` is contiguous
    tl.store(out_ptr + offs, v, mask=offs < n)


def f(n: int, labels, has_labels):
    out = torch.empty((n,), device="cuda")
    fill[(triton.cdiv(n, 256),)](
        out,
        labels if has_labels else torch.empty(1, device="cuda"),
        n,
        BLOCK=256,
        HAS=has_labels,
    )
