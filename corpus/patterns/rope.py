"""Pattern: rotary embedding in place, one program for a token and a head.

The halves of a head are rotated into each other by the angles of the token's
position; cos and sin hold one row of half a head for each position.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def rope_kernel(q_ptr, cos_ptr, sin_ptr, stride_token, stride_head,
                stride_angle, half, BLOCK: tl.constexpr):
    token = tl.program_id(0)
    head = tl.program_id(1)
    cols = tl.arange(0, BLOCK)
    mask = cols < half
    cos = tl.load(cos_ptr + token * stride_angle + cols, mask=mask, other=0.0)
    sin = tl.load(sin_ptr + token * stride_angle + cols, mask=mask, other=0.0)
    lower = q_ptr + token * stride_token + head * stride_head + cols
    upper = lower + half
    a = tl.load(lower, mask=mask, other=0.0)  # TC402: proved-if the elements of `q` do not overlap
    b = tl.load(upper, mask=mask, other=0.0)  # TC402: proved-if the elements of `q` do not overlap
    tl.store(lower, a * cos - b * sin, mask=mask)  # TC401: proved-if the elements of `q` do not overlap; TC403: proved-if the elements of `q` do not overlap
    tl.store(upper, b * cos + a * sin, mask=mask)  # TC401: proved-if the elements of `q` do not overlap; TC403: proved-if the elements of `q` do not overlap


# tilecheck: q: f16[tokens, heads, dim] stride (s0, s1, 1)
# tilecheck: cos: f32[tokens, dim // 2]; sin: f32[tokens, dim // 2]
# tilecheck: assume 2 <= dim <= 2**21, heads <= 65535
def rope_(q, cos, sin):
    tokens, heads, dim = q.shape
    half = dim // 2
    rope_kernel[(tokens, heads)](q, cos, sin, q.stride(0), q.stride(1),
                                 cos.stride(0), half,
                                 BLOCK=triton.next_power_of_2(half))
    return q
