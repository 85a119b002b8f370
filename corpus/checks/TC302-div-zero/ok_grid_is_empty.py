"""Decoding a flat index: when the width is 0 the grid is empty too, and no
program divides."""

import torch
import triton
import triton.language as tl


@triton.jit
def decode_kernel(row_ptr, col_ptr, n, width, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(row_ptr + offsets, offsets // width, mask=mask)
    tl.store(col_ptr + offsets, offsets % width, mask=mask)


def decode(height: int, width: int):
    n = height * width
    row = torch.empty((n,), device="cuda", dtype=torch.int32)
    col = torch.empty((n,), device="cuda", dtype=torch.int32)
    decode_kernel[(triton.cdiv(n, 128),)](row, col, n, width, BLOCK=128)
    return row, col
