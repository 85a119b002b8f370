"""Nobody launches it here: an axis that is not checked asks the caller for
blocks that fit."""

import triton
import triton.language as tl


@triton.jit
def rows_kernel(x_ptr, out_ptr, M, N, BLOCK_M: tl.constexpr,
                BLOCK_N: tl.constexpr):
    row = tl.program_id(0) * BLOCK_M  # TC301: proved-if G0*BLOCK_M - BLOCK_M + 1 <= 2**31
    x = tl.make_block_ptr(x_ptr, (M, N), (N, 1), (row, 0), (BLOCK_M, BLOCK_N),
                          (1, 0))
    total = tl.sum(tl.load(x, boundary_check=(0,)), axis=1)  # TC101: proved-if `x_ptr` has at least M*N + BLOCK_N - N elements and G0*BLOCK_M - BLOCK_M + 1 <= 2**31; TC103: proved-if BLOCK_N <= N
    out = tl.make_block_ptr(out_ptr, (M,), (1,), (row,), (BLOCK_M,), (0,))
    tl.store(out, total, boundary_check=0)  # TC102: proved-if `out_ptr` has at least M elements and G0*BLOCK_M - BLOCK_M + 1 <= 2**31; TC401: proved-if G1 == 1 and G2 == 1 and G0*BLOCK_M - BLOCK_M + 1 <= 2**31; TC403: proved-if G0*BLOCK_M - BLOCK_M + 1 <= 2**31
