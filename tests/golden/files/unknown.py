import triton
import triton.language as tl


# tilecheck: x_ptr: f32[rows]
# tilecheck: index_ptr: i32[n]
# tilecheck: out y_ptr: f32[n]
@triton.jit
def gather(x_ptr, index_ptr, y_ptr, n, rows, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    j = tl.load(index_ptr + i, mask=i < n)
    x = tl.load(x_ptr + j * j, mask=i < n)
    tl.store(y_ptr + i, x, mask=i < n)

