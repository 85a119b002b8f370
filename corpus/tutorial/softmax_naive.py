"""Softmax in whole-array operators: no kernel of the file's own.

Each line reads its operands from memory and writes its result there, which is
what the fused kernel saves.
"""

import torch


def naive_softmax(x):
    M, N = x.shape
    row_max = x.max(dim=1)[0]
    shifted = x - row_max[:, None]
    numerator = torch.exp(shifted)
    denominator = numerator.sum(dim=1)
    return numerator / denominator[:, None]
