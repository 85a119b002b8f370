"""Helpers of the kernels around this folder."""

from .numbers import *
from .tiles import copy_row, guarded_row, span_of as block_span
