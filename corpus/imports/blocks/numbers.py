"""Constants, one of which depends on where it runs."""

import os

import triton.language as tl

LOG2E: tl.constexpr = 1.4426950408889634
SKEW = tl.constexpr(1)

if os.environ.get("WIDE") == "1":
    LANES = tl.constexpr(8)
else:
    LANES = tl.constexpr(4)
