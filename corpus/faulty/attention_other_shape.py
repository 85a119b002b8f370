"""Fault: `other` is a tile of another shape than the pointers: no launch compiles.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def attention_kernel(q_ptr, k_ptr, v_ptr, o_ptr, scale, stride_qh, stride_qm,
                     stride_qd, stride_kh, stride_kn, stride_kd, stride_vh,
                     stride_vn, stride_vd, stride_oh, stride_om, stride_od, M,
                     N, HEAD_DIM: tl.constexpr, BLOCK_M: tl.constexpr,
                     BLOCK_N: tl.constexpr):
    head = tl.program_id(1).to(tl.int64)
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    dims = tl.arange(0, HEAD_DIM)
    q = tl.load(q_ptr + head * stride_qh + rows[:, None] * stride_qm  # TC101: unknown unsupported-construct; TC301: proved-if 32*q.stride(1)*cdiv(M, 32) - q.stride(1) + 1 <= 2**31; TC904: note
                + dims[None, :] * stride_qd, mask=rows[:, None] < M,
                other=tl.zeros((HEAD_DIM, BLOCK_M), dtype=tl.float32))
    best = tl.full((BLOCK_M,), -float("inf"), dtype=tl.float32)
    total = tl.zeros((BLOCK_M,), dtype=tl.float32)
    acc = tl.zeros((BLOCK_M, HEAD_DIM), dtype=tl.float32)
    for start in range(0, N, BLOCK_N):
        cols = start + tl.arange(0, BLOCK_N)
        k = tl.load(k_ptr + head * stride_kh + dims[:, None] * stride_kd  # TC402: unknown unsupported-construct; TC403: unknown unsupported-construct
                    + cols[None, :] * stride_kn, mask=cols[None, :] < N, other=0.0)
        s = tl.where(cols[None, :] < N, tl.dot(q, k) * scale, -float("inf"))
        new = tl.maximum(best, tl.max(s, axis=1))
        p = tl.exp(s - new[:, None])
        alpha = tl.exp(best - new)
        v = tl.load(v_ptr + head * stride_vh + cols[:, None] * stride_vn  # TC402: unknown unsupported-construct; TC403: unknown unsupported-construct
                    + dims[None, :] * stride_vd, mask=cols[:, None] < N, other=0.0)
        acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v)
        total = total * alpha + tl.sum(p, axis=1)
        best = new
    o = o_ptr + head * stride_oh + rows[:, None] * stride_om + dims[None, :] * stride_od
    tl.store(o, acc / total[:, None], mask=rows[:, None] < M)  # TC401: unknown unsupported-construct; TC403: unknown unsupported-construct


def attention(q, k, v, scale: float):
    H, M, _ = q.shape
    N = k.shape[1]
    assert q.shape[2] == 64
    assert k.shape == (H, N, 64) and v.shape == (H, N, 64)
    assert H <= 65535
    o = torch.empty((H, M, 64), device=q.device, dtype=q.dtype)
    grid = lambda meta: (triton.cdiv(M, meta["BLOCK_M"]), H)
    attention_kernel[grid](q, k, v, o, scale, *q.stride(), *k.stride(),
                           *v.stride(), *o.stride(), M, N, HEAD_DIM=64,
                           BLOCK_M=32, BLOCK_N=32)
    return o
