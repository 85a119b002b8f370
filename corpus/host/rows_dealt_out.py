"""Rows of a tensor whose size nothing ties to the launch, dealt out to the
device's multiprocessors."""

import math

import torch
import triton
import triton.language as tl


@triton.jit
def weighted_sums(x_ptr, stride_x, dy_ptr, stride_dy, out_ptr, stride_out,
                  rows, cols, per_program: tl.constexpr, BLOCK: tl.constexpr):
    pid = tl.program_id(0).to(tl.int64)
    offs = tl.arange(0, BLOCK)
    mask = offs < cols
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for row in range(pid * per_program, min((pid + 1) * per_program, rows)):
        x = tl.load(x_ptr + row * stride_x + offs, mask=mask, other=0.0)  # TC101: proved-if x.shape[0] >= rows and x.shape[1] >= cols and x.stride(1) == 1
        dy = tl.load(dy_ptr + row * stride_dy + offs, mask=mask, other=0.0)
        acc += x * dy
    tl.store(out_ptr + pid * stride_out + offs, acc, mask=mask)


@triton.jit
def weighted_sums_long(x_ptr, stride_x, dy_ptr, stride_dy, out_ptr, stride_out,
                       rows, cols, per_program: tl.constexpr,
                       BLOCK: tl.constexpr):
    pid = tl.program_id(0).to(tl.int64)
    offs = tl.arange(0, BLOCK)
    mask = offs < cols
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for row in range(pid * per_program, min((pid + 1) * per_program, rows + 1)):
        x = tl.load(x_ptr + row * stride_x + offs, mask=mask, other=0.0)  # TC101: proved-if x.shape[0] >= rows + 1 and x.shape[1] >= cols and x.stride(1) == 1
        dy = tl.load(dy_ptr + row * stride_dy + offs, mask=mask, other=0.0)  # TC101: unknown nonlinear
        acc += x * dy
    tl.store(out_ptr + pid * stride_out + offs, acc, mask=mask)


@triton.jit
def blocks_in_turn(x_ptr, stride_x, out_ptr, stride_out, rows, cols,
                   BLOCK: tl.constexpr, ROWS: tl.constexpr):
    inner = tl.arange(0, ROWS)
    offs = tl.arange(0, BLOCK)
    for start in tl.range(tl.program_id(0) * ROWS, rows,  # TC301: proved-if rows <= 2**30
                          tl.num_programs(0) * ROWS):
        at = start + inner
        mask = (at < rows)[:, None] & (offs < cols)[None, :]
        x = tl.load(x_ptr + at[:, None] * stride_x + offs[None, :], mask=mask)  # TC101: proved-if rows <= 2**30 and cols >= 1 and cols <= 2**14 and next_pow2(cols)*next_pow2(min(16384//next_pow2(cols), 32)) <= 2**20
        tl.store(out_ptr + at[:, None] * stride_out + offs[None, :], x, mask=mask)  # TC102: proved-if rows <= 2**30 and cols >= 1 and cols <= 2**14 and next_pow2(cols)*next_pow2(min(16384//next_pow2(cols), 32)) <= 2**20; TC401: proved-if rows <= 2**30; TC403: proved-if rows <= 2**30


def backward(x, dy):
    rows, cols = dy.shape
    assert 1 <= cols <= 4096
    dy = dy.contiguous()
    programs = torch.cuda.get_device_properties(x.device).multi_processor_count
    out = torch.empty((programs, cols), device=x.device)
    block = triton.next_power_of_2(cols)
    per_program = math.ceil(rows / programs)
    weighted_sums[(programs,)](x, x.stride(0), dy, dy.stride(0), out,
                               out.stride(0), rows, cols, per_program, block)
    weighted_sums_long[(programs,)](x, x.stride(0), dy, dy.stride(0), out,
                                    out.stride(0), rows, cols, per_program,
                                    block)
    return out


def copy(x):
    rows, cols = x.shape
    x = x.contiguous()
    out = torch.empty_like(x)
    block = triton.next_power_of_2(cols)
    at_once = triton.next_power_of_2(min(16384 // block, 32))
    count = torch.cuda.get_device_properties(x.device).multi_processor_count
    programs = min(count, triton.cdiv(rows, at_once))
    blocks_in_turn[(programs,)](x, x.stride(0), out, out.stride(0), rows, cols,
                                BLOCK=block, ROWS=at_once)
    return out
