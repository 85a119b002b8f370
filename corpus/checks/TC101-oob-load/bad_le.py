"""Vector addition with <= for <: lane n_elements is live.

What y needs is one element more, which a caller can give; x and the output
have exactly n_elements.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n_elements, BLOCK_SIZE: tl.constexpr):
    pid = tl.program_id(axis=0)
    offsets = pid * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    mask = offsets <= n_elements
    x = tl.load(x_ptr + offsets, mask=mask)  # TC101: refuted {n_elements=1}
    y = tl.load(y_ptr + offsets, mask=mask)  # TC101: proved-if y.numel() >= n_elements + 1 and `y` is contiguous
    tl.store(out_ptr + offsets, x + y, mask=mask)  # TC102: refuted {n_elements=1}


def add(x: torch.Tensor, y: torch.Tensor):
    out = torch.empty_like(x)
    n_elements = out.numel()
    grid = lambda meta: (triton.cdiv(n_elements, meta["BLOCK_SIZE"]),)
    add_kernel[grid](x, y, out, n_elements, BLOCK_SIZE=1024)
    return out
