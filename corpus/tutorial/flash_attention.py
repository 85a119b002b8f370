"""Attention without the matrix of scores: one program computes BLOCK_M rows of
one head, walks over the keys in blocks of BLOCK_N, and rescales what it has
whenever the running maximum grows. Every tensor has strides of its own.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def attention_kernel(q_ptr, k_ptr, v_ptr, o_ptr, lse_ptr, scale, stride_qz,
                     stride_qh, stride_qm, stride_qd, stride_kz, stride_kh,
                     stride_kn, stride_kd, stride_vz, stride_vh, stride_vn,
                     stride_vd, stride_oz, stride_oh, stride_om, stride_od,
                     H, M, N, HEAD_DIM: tl.constexpr, BLOCK_M: tl.constexpr,
                     BLOCK_N: tl.constexpr, CAUSAL: tl.constexpr):
    pid_m = tl.program_id(0)
    pid_zh = tl.program_id(1)
    z = pid_zh // H
    h = pid_zh % H
    q_ptr += z.to(tl.int64) * stride_qz + h.to(tl.int64) * stride_qh
    k_ptr += z.to(tl.int64) * stride_kz + h.to(tl.int64) * stride_kh
    v_ptr += z.to(tl.int64) * stride_vz + h.to(tl.int64) * stride_vh
    o_ptr += z.to(tl.int64) * stride_oz + h.to(tl.int64) * stride_oh
    offs_m = pid_m * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_n = tl.arange(0, BLOCK_N)
    offs_d = tl.arange(0, HEAD_DIM)
    q = tl.load(q_ptr + offs_m[:, None] * stride_qm + offs_d[None, :] * stride_qd,
                mask=offs_m[:, None] < M, other=0.0)
    m_i = tl.full((BLOCK_M,), -float("inf"), dtype=tl.float32)
    l_i = tl.zeros((BLOCK_M,), dtype=tl.float32)
    acc = tl.zeros((BLOCK_M, HEAD_DIM), dtype=tl.float32)
    if CAUSAL:
        end = tl.minimum(N, (pid_m + 1) * BLOCK_M)
    else:
        end = N
    for start in range(0, end, BLOCK_N):
        cols = start + offs_n
        k = tl.load(k_ptr + offs_d[:, None] * stride_kd + cols[None, :] * stride_kn,
                    mask=cols[None, :] < N, other=0.0)
        s = tl.dot(q, k) * scale
        live = cols[None, :] < N
        if CAUSAL:
            live = live & (offs_m[:, None] >= cols[None, :])
        s = tl.where(live, s, -float("inf"))
        m_new = tl.maximum(m_i, tl.max(s, axis=1))
        alpha = tl.exp(m_i - m_new)
        p = tl.exp(s - m_new[:, None])
        l_i = l_i * alpha + tl.sum(p, axis=1)
        v = tl.load(v_ptr + cols[:, None] * stride_vn + offs_d[None, :] * stride_vd,
                    mask=cols[:, None] < N, other=0.0)
        acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v)
        m_i = m_new
    acc = acc / l_i[:, None]
    tl.store(lse_ptr + pid_zh * M + offs_m, m_i + tl.log(l_i), mask=offs_m < M)
    tl.store(o_ptr + offs_m[:, None] * stride_om + offs_d[None, :] * stride_od,
             acc.to(o_ptr.dtype.element_ty), mask=offs_m[:, None] < M)


def attention(q, k, v, causal: bool, scale: float):
    Z, H, M, D = q.shape
    N = k.shape[2]
    assert k.shape == (Z, H, N, D) and v.shape == (Z, H, N, D)
    assert D in (16, 32, 64, 128)
    assert Z * H <= 65535
    o = torch.empty_like(q)
    lse = torch.empty((Z, H, M), device=q.device, dtype=torch.float32)
    grid = lambda meta: (triton.cdiv(M, meta["BLOCK_M"]), Z * H)
    attention_kernel[grid](
        q, k, v, o, lse, scale, q.stride(0), q.stride(1), q.stride(2),
        q.stride(3), k.stride(0), k.stride(1), k.stride(2), k.stride(3),
        v.stride(0), v.stride(1), v.stride(2), v.stride(3), o.stride(0),
        o.stride(1), o.stride(2), o.stride(3), H, M, N, HEAD_DIM=D,
        BLOCK_M=128, BLOCK_N=64, CAUSAL=causal)
    return o, lse
