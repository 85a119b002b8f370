"""Row scaling by a vector: nothing ties the vector to the matrix, so a caller
has to bring enough of it. No counterexample: a longer vector would do."""

import torch
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x_ptr, scale_ptr, out_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < n_cols
    scale = tl.load(scale_ptr + row)  # TC101: proved-if scale.numel() >= n_rows
    x = tl.load(x_ptr + row * n_cols + cols, mask=mask)
    tl.store(out_ptr + row * n_cols + cols, x * scale, mask=mask)


def scale_rows(x, scale):
    n_rows, n_cols = x.shape
    assert 1 <= n_cols <= 2**20 and x.is_contiguous() and scale.is_contiguous()
    out = torch.empty((n_rows, n_cols), device=x.device, dtype=x.dtype)
    scale_kernel[(n_rows,)](x, scale, out, n_cols,
                            BLOCK=triton.next_power_of_2(n_cols))
    return out
