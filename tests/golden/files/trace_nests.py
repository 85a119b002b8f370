"""Loops, branches and calls of every form that the list has."""

import torch
import triton
import triton.language as tl


@triton.jit
def nests_kernel(x_ptr, y_ptr, count_ptr, n, BLOCK: tl.constexpr,
                 FLIP: tl.constexpr):
    pid = tl.program_id(0)
    row = tl.arange(0, BLOCK)
    total = tl.full((BLOCK,), 1.5, tl.float32)
    for i in range(pid, n, tl.num_programs(0)):
        x = tl.load(x_ptr + i)
        if x > 0:
            total += tl.sqrt(x)
        else:
            tl.atomic_add(count_ptr, 1, mask=x < 0)
    ptr = y_ptr + row
    left = n
    while left > 0:
        tl.store(ptr, tl.cumsum(total, axis=0))
        ptr += BLOCK
        left = left // 2
    square = tl.reshape(total, (BLOCK // 2, 2))
    if FLIP:
        square = tl.trans(square)
    tl.debug_barrier()
    tl.store(y_ptr + pid, tl.argmax(tl.sum(square, axis=1), axis=0))


# tilecheck: x: f32[n]; y: i32[m]; count: i32[1]
def nests(x, y, count, flip: bool):
    n = x.shape[0]
    nests_kernel[(4,)](x, y, count, n, BLOCK=16, FLIP=flip)
