"""A parameter is a pointer because a helper of another file loads from it; no
launch here says so."""

import triton
import triton.language as tl

from blocks import block_span, guarded_row


@triton.jit
def double_kernel(source, target, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    x = guarded_row(source, n, pid, BLOCK)  # TC101: proved-if `source` has at least n elements and G0*BLOCK <= 2**31; TC301: proved-if G0*BLOCK <= 2**31
    offsets = block_span(pid, BLOCK)  # TC301: proved-if G0*BLOCK <= 2**31
    tl.store(target + offsets, 2 * x, mask=offsets < n)  # TC102: proved-if `target` has at least n elements and G0*BLOCK <= 2**31; TC401: proved-if G1 == 1 and G2 == 1 and G0*BLOCK <= 2**31; TC403: proved-if G0*BLOCK <= 2**31
