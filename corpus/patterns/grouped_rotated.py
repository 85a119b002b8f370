"""Pattern: a grouped order that takes the row within the group from the whole
program id: the same tiles as in grouped_order.py, each group begun elsewhere."""

import torch
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x_ptr, out_ptr, M, N, BLOCK_M: tl.constexpr,
                 BLOCK_N: tl.constexpr, GROUP_M: tl.constexpr):
    pid = tl.program_id(0)
    tiles_m = tl.cdiv(M, BLOCK_M)
    tiles_n = tl.cdiv(N, BLOCK_N)
    in_group = GROUP_M * tiles_n
    first_m = (pid // in_group) * GROUP_M
    group_size = min(tiles_m - first_m, GROUP_M)
    tile_m = first_m + pid % group_size
    tile_n = (pid % in_group) // group_size
    rows = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
    cols = tile_n * BLOCK_N + tl.arange(0, BLOCK_N)
    mask = (rows[:, None] < M) & (cols[None, :] < N)
    at = rows[:, None] * N + cols[None, :]
    x = tl.load(x_ptr + at, mask=mask)
    tl.store(out_ptr + at, 2 * x, mask=mask)  # TC401: unknown resource-limit


def scale(x):
    assert x.is_contiguous()
    M, N = x.shape
    out = torch.empty_like(x)
    grid = lambda meta: (triton.cdiv(M, meta["BLOCK_M"])
                         * triton.cdiv(N, meta["BLOCK_N"]),)
    scale_kernel[grid](x, out, M, N, BLOCK_M=64, BLOCK_N=64, GROUP_M=8)
    return out
