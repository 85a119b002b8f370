import torch
import triton
import triton.language as tl


# tilecheck: assume n >= 5, n <= 4; out_ptr: f32[n]; grid (7,); const BLOCK in {64}
@triton.jit
def k(x_ptr, out_ptr, n, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    tl.store(out_ptr + tl.arange(0, BLOCK) + 1000000, 1.0)  # TC102: unknown unsupported-construct
