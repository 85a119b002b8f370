"""Work is split among queues as if it divided evenly: for 5 tiles and 4 queues
two programs store one tile, and one tile is left out.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def fill_kernel(out_ptr, n, tiles, QUEUES, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    queue = pid % QUEUES
    tile = queue * (tiles // QUEUES) + pid // QUEUES
    offsets = tile * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + offsets, offsets, mask=offsets < n)  # TC401: refuted {n=129}


# tilecheck: assume 1 <= queues <= 64
def fill(n: int, queues: int):
    out = torch.empty((n,), device="cuda", dtype=torch.int32)
    tiles = triton.cdiv(n, 128)
    fill_kernel[(tiles,)](out, n, tiles, queues, BLOCK=128)
    return out
