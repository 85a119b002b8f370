"""Pages of a cache picked by a table of blocks: the loaded number is one index of
several, the others are masked or short enough.

The second kernel reads PAGE elements from a loaded start, so the start has to
leave room for them.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def page_kernel(cache_ptr, table_ptr, out_ptr, n_pages, stride_page,
                stride_slot, PAGE: tl.constexpr):
    page = tl.program_id(0)
    slots = tl.arange(0, PAGE)
    block = tl.load(table_ptr + page)
    x = tl.load(cache_ptr + block.to(tl.int64) * stride_page  # TC104: proved-if values of `table` are in [0, blocks)
                + slots * stride_slot)  # TC301: proved-if values of `table` are in [0, blocks)
    tl.store(out_ptr + page * PAGE + slots, x)


@triton.jit
def window_kernel(x_ptr, start_ptr, out_ptr, PAGE: tl.constexpr):
    row = tl.program_id(0)
    slots = tl.arange(0, PAGE)
    start = tl.load(start_ptr + row)
    x = tl.load(x_ptr + start + slots)  # TC104: proved-if values of `starts` are in [0, n - 15)
    tl.store(out_ptr + row * PAGE + slots, x)


# tilecheck: table: i32[n_pages]
def gather_pages(cache, table):
    blocks, page = cache.shape
    assert page == 16
    n_pages = table.shape[0]
    out = torch.empty((n_pages, 16), device=cache.device, dtype=cache.dtype)
    page_kernel[(n_pages,)](cache, table, out, n_pages, cache.stride(0),
                            cache.stride(1), PAGE=16)
    return out


# tilecheck: x: f32[n]; starts: i32[rows]
def windows(x, starts):
    rows = starts.shape[0]
    out = torch.empty((rows, 16), device=x.device, dtype=x.dtype)
    window_kernel[(rows,)](x, starts, out, PAGE=16)
    return out
