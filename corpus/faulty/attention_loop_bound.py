"""Fault: the loop makes one turn more than there are blocks of keys, and without
a mask of their own the loads of that turn are outside.
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
    q = tl.load(q_ptr + head * stride_qh + rows[:, None] * stride_qm
                + dims[None, :] * stride_qd, mask=rows[:, None] < M, other=0.0)
    best = tl.full((BLOCK_M,), -float("inf"), dtype=tl.float32)
    total = tl.zeros((BLOCK_M,), dtype=tl.float32)
    acc = tl.zeros((BLOCK_M, HEAD_DIM), dtype=tl.float32)
    for start in range(0, N + BLOCK_N, BLOCK_N):
        cols = start + tl.arange(0, BLOCK_N)
        k = tl.load(k_ptr + head * stride_kh + dims[:, None] * stride_kd  # TC101: refuted; TC301: refuted
                    + cols[None, :] * stride_kn)  # TC301: refuted
        s = tl.where(cols[None, :] < N, tl.dot(q, k) * scale, -float("inf"))
        new = tl.maximum(best, tl.max(s, axis=1))
        p = tl.exp(s - new[:, None])
        alpha = tl.exp(best - new)
        v = tl.load(v_ptr + head * stride_vh + cols[:, None] * stride_vn  # TC101: refuted; TC301: refuted
                    + dims[None, :] * stride_vd)  # TC301: refuted
        acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v)
        total = total * alpha + tl.sum(p, axis=1)
        best = new
    o = o_ptr + head * stride_oh + rows[:, None] * stride_om + dims[None, :] * stride_od
    tl.store(o, acc / total[:, None], mask=rows[:, None] < M)


def attention(q, k, v, scale: float):
    H, M, _ = q.shape
    N = k.shape[1]
    assert q.shape[2] == 64
    assert k.shape == (H, N, 64) and v.shape == (H, N, 64)
    assert H <= 65535 and N % 32 == 0
    o = torch.empty((H, M, 64), device=q.device, dtype=q.dtype)
    grid = lambda meta: (triton.cdiv(M, meta["BLOCK_M"]), H)
    attention_kernel[grid](q, k, v, o, scale, *q.stride(), *k.stride(),
                           *v.stride(), *o.stride(), M, N, HEAD_DIM=64,
                           BLOCK_M=64, BLOCK_N=32)
    return o
