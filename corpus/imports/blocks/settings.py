"""What host code asks for: block sizes, counts of the device, checks."""

import functools

import torch
import triton

MOST = 65536


def block_for(n):
    block = triton.next_power_of_2(n)
    if block > MOST:
        raise RuntimeError(f"{n} columns are too many: {block} > {MOST}")
    warps = 4
    if block >= 2048:
        warps = 8
    return block, warps


@functools.lru_cache
def multiprocessors():
    return torch.cuda.get_device_properties(0).multi_processor_count


def shrink_(x):
    x.resize_(1)


def check_rows(x, rows):
    assert x.shape[0] == rows
