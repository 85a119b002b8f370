"""Column sums, 32 columns for a program: neighbouring lanes are neighbours in
memory.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def column_sum_kernel(x_ptr, out_ptr, n_rows, n_cols, ROWS: tl.constexpr,
                      COLUMNS: tl.constexpr):
    columns = tl.program_id(0) * COLUMNS + tl.arange(0, COLUMNS)
    total = tl.zeros((COLUMNS,), dtype=tl.float32)
    for start in range(0, n_rows, ROWS):
        rows = start + tl.arange(0, ROWS)
        x = tl.load(x_ptr + rows[:, None] * n_cols + columns[None, :],
                    mask=(rows[:, None] < n_rows) & (columns[None, :] < n_cols),
                    other=0.0)
        total += tl.sum(x.to(tl.float32), axis=0)
    tl.store(out_ptr + columns, total, mask=columns < n_cols)


def column_sum(x):
    n_rows, n_cols = x.shape
    assert x.is_contiguous()
    out = torch.empty((n_cols,), device=x.device, dtype=torch.float32)
    column_sum_kernel[(triton.cdiv(n_cols, 32),)](x, out, n_rows, n_cols,
                                                  ROWS=16, COLUMNS=32)
    return out
