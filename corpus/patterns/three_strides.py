"""A kernel that nobody launches here: three axes with strides, two of them
masked."""

import triton
import triton.language as tl


@triton.jit
def channel_sums(x_ptr, out_ptr, B, S, stride_b, stride_c, stride_s,
                 BLOCK_B: tl.constexpr, BLOCK_S: tl.constexpr):
    channel = tl.program_id(0)
    rows = tl.arange(0, BLOCK_B)
    acc = tl.zeros((BLOCK_B, BLOCK_S), dtype=tl.float32)
    for block in range(tl.cdiv(S, BLOCK_S)):
        cols = block * BLOCK_S + tl.arange(0, BLOCK_S)
        x = (x_ptr + stride_c * channel + stride_b * rows[:, None]  # TC301: proved-if G0*stride_c - stride_c + 1 <= 2**31; TC301: proved-if B*stride_b - stride_b + 1 <= 2**31
             + stride_s * cols[None, :])  # TC301: proved-if S*stride_s - stride_s + 1 <= 2**31
        acc += tl.load(x, mask=(rows < B)[:, None] & (cols < S)[None, :],  # TC101: proved-if `x_ptr` has at least B*stride_b + S*stride_s + G0*stride_c - stride_b - stride_c - stride_s + 1 elements and G0*stride_c - stride_c + 1 <= 2**31 and B*stride_b - stride_b + 1 <= 2**31 and S*stride_s - stride_s + 1 <= 2**31
                       other=0.0)
    tl.store(out_ptr + channel, tl.sum(acc))  # TC102: proved-if `out_ptr` has at least G0 elements; TC401: proved-if G1 == 1 and G2 == 1
