"""Kernels whose accesses are counted by hand in test_count.c."""

import torch
import triton
import triton.language as tl


@triton.jit
def softmax_kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + cols, mask=cols < N, other=-float("inf"))
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(y_ptr + row * N + cols, e / tl.sum(e, axis=0), mask=cols < N)


def softmax(x):
    M, N = x.shape
    assert x.is_contiguous()
    y = torch.empty_like(x)
    softmax_kernel[(M,)](x, y, N, BLOCK=triton.next_power_of_2(N))
    return y


@triton.jit
def persistent_softmax(x_ptr, y_ptr, n_rows, n_cols, BLOCK: tl.constexpr):
    start = tl.program_id(0)
    step = tl.num_programs(0)
    for row in tl.range(start, n_rows, step):
        cols = tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * n_cols + cols, mask=cols < n_cols, other=-float("inf"))
        tl.store(y_ptr + row * n_cols + cols, tl.exp(x), mask=cols < n_cols)


def psoftmax(x, programs: int):
    M, N = x.shape
    assert x.is_contiguous()
    y = torch.empty_like(x)
    persistent_softmax[(min(programs, M),)](x, y, M, N, BLOCK=triton.next_power_of_2(N))
    return y


@triton.jit
def max_kernel(x_ptr, m_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    m = float("-inf")
    for start in range(0, N, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * N + cols, mask=cols < N, other=float("-inf"))
        m = tl.maximum(m, tl.max(x, axis=0))
    tl.store(m_ptr + row, m)


def row_max(x):
    M, N = x.shape
    assert x.is_contiguous()
    m = torch.empty((M,), device=x.device, dtype=x.dtype)
    max_kernel[(M,)](x, m, N, BLOCK=256)
    return m


@triton.jit
def masked_kernel(a_ptr, b_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr,
                  BK: tl.constexpr):
    pid = tl.program_id(0)
    tiles_n = tl.cdiv(N, BN)
    rows = pid // tiles_n * BM + tl.arange(0, BM)
    cols = pid % tiles_n * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, K, BK):
        ks = start + tl.arange(0, BK)
        a = tl.load(a_ptr + rows[:, None] * K + ks[None, :],
                    mask=(rows[:, None] < M) & (ks[None, :] < K))
        b = tl.load(b_ptr + ks[:, None] * N + cols[None, :],
                    mask=(ks[:, None] < K) & (cols[None, :] < N))
        acc += tl.dot(a, b)
    tl.store(c_ptr + rows[:, None] * N + cols[None, :], acc,
             mask=(rows[:, None] < M) & (cols[None, :] < N))


def masked(a, b):
    M, K = a.shape
    N = b.shape[1]
    assert b.shape[0] == K and a.is_contiguous() and b.is_contiguous()
    c = torch.empty((M, N), device=a.device, dtype=a.dtype)
    grid = lambda meta: (triton.cdiv(M, meta["BM"]) * triton.cdiv(N, meta["BN"]),)
    masked_kernel[grid](a, b, c, M, N, K, BM=64, BN=32, BK=16)
    return c


@triton.jit
def matmul_kernel(a_ptr, b_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr,
                  BK: tl.constexpr, G: tl.constexpr):
    pid = tl.program_id(0)
    tiles_m = tl.cdiv(M, BM)
    tiles_n = tl.cdiv(N, BN)
    per = G * tiles_n
    first = pid // per * G
    size = min(tiles_m - first, G)
    pid_m = first + (pid % per) % size
    pid_n = (pid % per) // size
    rows = (pid_m * BM + tl.arange(0, BM)) % M
    cols = (pid_n * BN + tl.arange(0, BN)) % N
    ks = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        left = K - k * BK
        a = tl.load(a_ptr + rows[:, None] * K + k * BK + ks[None, :], mask=ks[None, :] < left)
        b = tl.load(b_ptr + (k * BK + ks[:, None]) * N + cols[None, :], mask=ks[:, None] < left)
        acc += tl.dot(a, b)
    rows = pid_m * BM + tl.arange(0, BM)
    cols = pid_n * BN + tl.arange(0, BN)
    tl.store(c_ptr + rows[:, None] * N + cols[None, :], acc,
             mask=(rows[:, None] < M) & (cols[None, :] < N))


def matmul(a, b):
    M, K = a.shape
    N = b.shape[1]
    assert b.shape[0] == K and a.is_contiguous() and b.is_contiguous()
    c = torch.empty((M, N), device=a.device, dtype=a.dtype)
    grid = lambda meta: (triton.cdiv(M, meta["BM"]) * triton.cdiv(N, meta["BN"]),)
    matmul_kernel[grid](a, b, c, M, N, K, BM=64, BN=32, BK=16, G=8)
    return c


@triton.jit
def split_kernel(a_ptr, b_ptr, c_ptr, M, N, K, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, SPLIT_K: tl.constexpr):
    pid = tl.program_id(0)
    pid_k = tl.program_id(1)
    tiles_n = tl.cdiv(N, BLOCK_N)
    pid_m = pid // tiles_n
    pid_n = pid % tiles_n
    rows = (pid_m * BLOCK_M + tl.arange(0, BLOCK_M)) % M
    cols = (pid_n * BLOCK_N + tl.arange(0, BLOCK_N)) % N
    ks = pid_k * BLOCK_K + tl.arange(0, BLOCK_K)
    a_ptrs = a_ptr + rows[:, None] * K + ks[None, :]
    b_ptrs = b_ptr + ks[:, None] * N + cols[None, :]
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BLOCK_K * SPLIT_K)):
        left = K - k * (BLOCK_K * SPLIT_K)
        a = tl.load(a_ptrs, mask=ks[None, :] < left, other=0.0)
        b = tl.load(b_ptrs, mask=ks[:, None] < left, other=0.0)
        acc += tl.dot(a, b)
        a_ptrs += BLOCK_K * SPLIT_K
        b_ptrs += BLOCK_K * SPLIT_K * N
    rows = pid_m * BLOCK_M + tl.arange(0, BLOCK_M)
    cols = pid_n * BLOCK_N + tl.arange(0, BLOCK_N)
    tl.atomic_add(c_ptr + rows[:, None] * N + cols[None, :], acc, mask=(rows[:, None] < M) & (cols[None, :] < N))


def split(a, b):
    M, K = a.shape
    N = b.shape[1]
    assert b.shape[0] == K
    assert a.is_contiguous() and b.is_contiguous()
    c = torch.zeros((M, N), device=a.device, dtype=torch.float32)
    grid = lambda meta: (triton.cdiv(M, meta["BLOCK_M"]) * triton.cdiv(N, meta["BLOCK_N"]), meta["SPLIT_K"])
    split_kernel[grid](a, b, c, M, N, K, BLOCK_M=32, BLOCK_N=64, BLOCK_K=16, SPLIT_K=4)
    return c


@triton.jit
def attention(q_ptr, k_ptr, o_ptr, N, D: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    pid = tl.program_id(0)
    rows = pid * BLOCK_M + tl.arange(0, BLOCK_M)
    d = tl.arange(0, D)
    q = tl.load(q_ptr + rows[:, None] * D + d[None, :], mask=rows[:, None] < N)
    acc = tl.zeros((BLOCK_M, D), dtype=tl.float32)
    end = tl.minimum(N, (pid + 1) * BLOCK_M)
    for start in range(0, end, BLOCK_N):
        cols = start + tl.arange(0, BLOCK_N)
        k = tl.load(k_ptr + cols[:, None] * D + d[None, :], mask=cols[:, None] < N)
        acc += tl.dot(tl.dot(q, tl.trans(k)), k)
    tl.store(o_ptr + rows[:, None] * D + d[None, :], acc, mask=rows[:, None] < N)


def run(q, k):
    N, D = q.shape
    assert k.shape == q.shape
    assert q.is_contiguous() and k.is_contiguous()
    assert D in (16, 32, 64)
    o = torch.empty_like(q)
    grid = lambda meta: (triton.cdiv(N, meta["BLOCK_M"]),)
    attention[grid](q, k, o, N, D, BLOCK_M=64, BLOCK_N=32)
    return o


@triton.jit
def triangle_kernel(x_ptr, N):
    row = tl.program_id(0)
    for col in range(0, row + 1):
        v = tl.load(x_ptr + row * N + col)
        tl.store(x_ptr + row * N + col, v + 1.0)


def triangle(x):
    N = x.shape[0]
    assert x.shape[1] == N and x.is_contiguous()
    triangle_kernel[(N,)](x, N)


@triton.jit
def stencil_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(x_ptr + i - 1, mask=(i - 1 >= 0) & (i - 1 < n), other=0.0)
    b = tl.load(x_ptr + i, mask=i < n, other=0.0)
    c = tl.load(x_ptr + i + 1, mask=i + 1 < n, other=0.0)
    tl.store(y_ptr + i, a + b + c, mask=i < n)


def stencil(x):
    n = x.numel()
    assert x.is_contiguous()
    y = torch.empty_like(x)
    grid = lambda meta: (triton.cdiv(n, meta["BLOCK"]),)
    stencil_kernel[grid](x, y, n, BLOCK=128)
    return y


@triton.jit
def early_kernel(x_ptr, y_ptr, n, m, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    if pid * BLOCK >= m:
        return
    i = pid * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, x, mask=i < n)


def early(x, m: int):
    n = x.numel()
    assert x.is_contiguous()
    y = torch.zeros_like(x)
    grid = lambda meta: (triton.cdiv(n, meta["BLOCK"]),)
    early_kernel[grid](x, y, n, m, BLOCK=128)
    return y


@triton.jit
def reverse_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    pid = tl.num_programs(0) - 1 - tl.program_id(0)
    i = pid * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + n - 1 - i, x, mask=i < n)


def rev(x):
    n = x.numel()
    assert x.is_contiguous()
    y = torch.empty_like(x)
    grid = lambda meta: (triton.cdiv(n, meta["BLOCK"]),)
    reverse_kernel[grid](x, y, n, BLOCK=128)
    return y


@triton.jit
def wide_sms(x_ptr, y_ptr, n, SMS: tl.constexpr, BLOCK: tl.constexpr):
    tiles = tl.cdiv(n, BLOCK)
    for tile in range(tl.program_id(0), tiles, SMS):
        i = tile * BLOCK + tl.arange(0, BLOCK)
        tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)


def sms(x):
    n = x.numel()
    assert x.is_contiguous()
    y = torch.empty_like(x)
    grid = lambda meta: (min(meta["SMS"], triton.cdiv(n, meta["BLOCK"])),)
    wide_sms[grid](x, y, n, SMS=4, BLOCK=16)
    return y


@triton.jit
def rotated_kernel(x_ptr, M, N, BM: tl.constexpr, BN: tl.constexpr,
                   G: tl.constexpr):
    pid = tl.program_id(0)
    rows, columns = tl.cdiv(M, BM), tl.cdiv(N, BN)
    first = pid // (G * columns) * G
    size = min(rows - first, G)
    r = (first + pid % size) * BM + tl.arange(0, BM)
    c = pid % (G * columns) // size * BN + tl.arange(0, BN)
    tl.store(x_ptr + r[:, None] * N + c[None, :], 0,
             mask=(r[:, None] < M) & (c[None, :] < N))


def rotated(x):
    M, N = x.shape
    assert x.is_contiguous()
    grid = lambda meta: (triton.cdiv(M, meta["BM"])
                         * triton.cdiv(N, meta["BN"]),)
    rotated_kernel[grid](x, M, N, BM=16, BN=32, G=4)


@triton.jit
def multiples_kernel(x_ptr, k, first):
    pid = tl.program_id(0)
    if pid % k == first:
        tl.store(x_ptr + pid, 0)


def multiples(x, k, first):
    n = x.numel()
    assert k > first
    assert first >= 0
    assert x.is_contiguous()
    multiples_kernel[(n,)](x, k, first)


@triton.jit
def strided_kernel(x_ptr, step, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x_ptr + i * step, 0, mask=i * step < n)


def strided(x, step):
    n = x.numel()
    assert x.is_contiguous()
    strided_kernel[(2,)](x, step, n, BLOCK=16)


@triton.jit
def balanced_kernel(x_ptr, n, share):
    pid = tl.program_id(0)
    for i in range(pid * share, min((pid + 1) * share, n)):
        tl.store(x_ptr + i, 0)


def balanced(x, programs):
    n = x.numel()
    assert x.is_contiguous()
    assert programs >= 1
    balanced_kernel[(programs,)](x, n, triton.cdiv(n, programs))


@triton.jit
def ragged_kernel(x_ptr, lens_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    length = tl.load(lens_ptr + row)
    for start in range(0, length, BLOCK):
        i = start + tl.arange(0, BLOCK)
        tl.store(x_ptr + row * N + i, 0, mask=i < length)


# tilecheck: lens: i32[B]; values lens in [0, N]
def ragged(x, lens):
    B, N = x.shape
    assert x.is_contiguous()
    ragged_kernel[(B,)](x, lens, N, BLOCK=16)


@triton.jit
def chosen_kernel(x_ptr, ids_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    ids = tl.load(ids_ptr + i, mask=i < n, other=-1)
    tl.store(x_ptr + ids, 0, mask=ids >= 0)


# tilecheck: ids: i32[n]; values ids in [-1, 4)
def chosen(x, ids):
    n = ids.shape[0]
    chosen_kernel[(triton.cdiv(n, 8),)](x, ids, n, BLOCK=8)


@triton.jit
def written_kernel(lens_ptr, n):
    row = tl.program_id(0)
    length = tl.load(lens_ptr + row)
    for i in range(0, length):
        tl.store(lens_ptr + i, 0)


# tilecheck: lens: i32[n]; values lens in [0, n]
def written(lens):
    n = lens.shape[0]
    written_kernel[(n,)](lens, n)
