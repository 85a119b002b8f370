"""Fault: the persistent loop of every program starts at tile 0.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def tile_of(tile, num_pid_m, num_in_group, GROUP_M: tl.constexpr):
    group_id = tile // num_in_group
    first_pid_m = group_id * GROUP_M
    group_size_m = min(num_pid_m - first_pid_m, GROUP_M)
    in_group = tile % num_in_group
    pid_m = first_pid_m + in_group % group_size_m
    pid_n = in_group // group_size_m
    return pid_m, pid_n


@triton.jit
def matmul_kernel(a_ptr, b_ptr, c_ptr, M, N, K, stride_am, stride_ak,
                  stride_bk, stride_bn, stride_cm, stride_cn,
                  BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
                  BLOCK_K: tl.constexpr, GROUP_M: tl.constexpr,
                  NUM_SMS: tl.constexpr):
    num_pid_m = tl.cdiv(M, BLOCK_M)
    num_pid_n = tl.cdiv(N, BLOCK_N)
    k_tiles = tl.cdiv(K, BLOCK_K)
    num_tiles = num_pid_m * num_pid_n
    num_in_group = GROUP_M * num_pid_n
    for tile in range(0, num_tiles, NUM_SMS):
        pid_m, pid_n = tile_of(tile, num_pid_m, num_in_group, GROUP_M)
        offs_m = pid_m * BLOCK_M + tl.arange(0, BLOCK_M)
        offs_n = pid_n * BLOCK_N + tl.arange(0, BLOCK_N)
        offs_am = tl.where(offs_m < M, offs_m, 0)
        offs_bn = tl.where(offs_n < N, offs_n, 0)
        acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
        for ki in range(k_tiles):
            offs_k = ki * BLOCK_K + tl.arange(0, BLOCK_K)
            a = tl.load(a_ptr + offs_am[:, None] * stride_am
                        + offs_k[None, :] * stride_ak,
                        mask=offs_k[None, :] < K, other=0.0)
            b = tl.load(b_ptr + offs_k[:, None] * stride_bk
                        + offs_bn[None, :] * stride_bn,
                        mask=offs_k[:, None] < K, other=0.0)
            acc = tl.dot(a, b, acc)
        c_ptrs = (c_ptr + offs_m[:, None] * stride_cm
                  + offs_n[None, :] * stride_cn)
        c_mask = (offs_m[:, None] < M) & (offs_n[None, :] < N)
        tl.store(c_ptrs, acc.to(tl.float16), mask=c_mask)  # TC401: refuted


def matmul_persistent(a, b, num_sms: int = 132):
    assert a.shape[1] == b.shape[0]
    M, K = a.shape
    N = b.shape[1]
    assert 1 <= num_sms <= 1024
    c = torch.empty((M, N), device=a.device, dtype=torch.float16)
    grid = lambda META: (min(num_sms, triton.cdiv(M, META["BLOCK_M"])
                             * triton.cdiv(N, META["BLOCK_N"])),)
    matmul_kernel[grid](a, b, c, M, N, K, a.stride(0), a.stride(1),
                        b.stride(0), b.stride(1), c.stride(0), c.stride(1),
                        BLOCK_M=128, BLOCK_N=128, BLOCK_K=64, GROUP_M=8,
                        NUM_SMS=num_sms)
    return c
