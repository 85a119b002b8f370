"""Pattern: kernels that no code of the file launches.

The first has a contract: extents and grid are stated, all is proved. The
second states its grid only: what its tensors must hold is computed and stated in
terms of its parameters. The third states nothing, so its grid may be so large
that the index wraps.
"""

import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    # tilecheck: x_ptr: f32[n]; y_ptr: f32[n]; out out_ptr: f32[n]
    # tilecheck: grid (cdiv(n, BLOCK),)
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    y = tl.load(y_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x + y, mask=mask)


@triton.jit
def halve_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    # tilecheck: grid (cdiv(n, BLOCK),)
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)  # TC101: proved-if `x_ptr` has at least n elements
    tl.store(out_ptr + offsets, x * 0.5, mask=mask)  # TC102: proved-if `out_ptr` has at least n elements


@triton.jit
def negate_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)  # TC301: proved-if G0*BLOCK <= 2**31
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)  # TC101: proved-if `x_ptr` has at least n elements and G0*BLOCK <= 2**31
    tl.store(out_ptr + offsets, -x, mask=mask)  # TC102: proved-if `out_ptr` has at least n elements and G0*BLOCK <= 2**31; TC401: proved-if G1 == 1 and G2 == 1 and G0*BLOCK <= 2**31; TC403: proved-if G0*BLOCK <= 2**31
