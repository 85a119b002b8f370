"""Softmax on large tensors: the row number times the row stride is computed in
32 bits and leaves them once the tensor spans 2**31 elements. Below that the
accesses hold.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def softmax_kernel(out_ptr, in_ptr, in_row_stride, out_row_stride, n_cols,
                   BLOCK_SIZE: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK_SIZE)
    mask = cols < n_cols
    in_row = in_ptr + row * in_row_stride  # TC301: refuted
    x = tl.load(in_row + cols, mask=mask, other=-float("inf"))  # TC101: proved-if x.stride(0)*n_rows - x.stride(0) + 1 <= 2**31
    numerator = tl.exp(x - tl.max(x, axis=0))
    y = numerator / tl.sum(numerator, axis=0)
    out_row = out_ptr + row * out_row_stride  # TC301: refuted
    tl.store(out_row + cols, y, mask=mask)  # TC102: proved-if n_rows*n_cols - n_cols + 1 <= 2**31; TC401: proved-if n_rows*n_cols - n_cols + 1 <= 2**31; TC403: proved-if n_rows*n_cols - n_cols + 1 <= 2**31


# tilecheck: max-numel 2**40
def softmax(x):
    n_rows, n_cols = x.shape
    assert 1 <= n_cols <= 2**20 and x.stride(1) == 1
    out = torch.empty((n_rows, n_cols), device=x.device, dtype=x.dtype)
    softmax_kernel[(n_rows,)](
        out, x, x.stride(0), out.stride(0), n_cols,
        BLOCK_SIZE=triton.next_power_of_2(n_cols))
    return out
