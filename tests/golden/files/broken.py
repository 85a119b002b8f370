import triton


@triton.jit
def broken(x_ptr:
    pass
