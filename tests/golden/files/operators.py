"""Whole-array operators: what each reads and writes."""
import numpy as np
import torch
import torch.nn.functional as F


def softmax(x):
    M, N = x.shape
    x_max = x.max(dim=1)[0]
    z = x - x_max[:, None]
    num = torch.exp(z)
    den = num.sum(dim=1)
    return num / den[:, None]


def softmax_numpy(x):
    M, N = x.shape
    e = np.exp(x - np.max(x, axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


# tilecheck: a: f16[M, K]; b: f16[K, N]; bias: f32[N]
def linear(a, b, bias):
    return F.relu(a @ b + bias)


def one_shape(x: torch.Tensor, y: torch.Tensor):
    return x + y


def number_or_tensor(x, y):
    return x + y


def not_understood(x: torch.Tensor):
    return torch.fft.fft(x) + mystery(x)


def two_results(x: torch.Tensor):
    M, N = x.shape
    values, _ = x.max(dim=1)
    return values, x.min(1).indices, x.sort()


def branches(x, flag: bool, n: int):
    M, N = x.shape
    y = x.exp() if flag else x
    if n > 3:
        y = y * 2
    if N == 0:
        return torch.zeros((5,))
    return y.sum()


def some_condition(x, ready):
    M, N = x.shape
    if ready():
        x *= 2
    return x


def turns(x, n: int):
    M, N = x.shape
    total = torch.zeros((M,))
    for i in range(n):
        total = total + x.sum(dim=1)
    return total


def changing_turns(x, n: int):
    M, N = x.shape
    for i in range(n):
        x[:, :i] *= 2


def growing_turns(x, n: int):
    M, N = x.shape
    y = z = x
    for i in range(n):
        z = y * 1
        y = torch.cat([y, y])


def known_turns(x):
    M, N = x.shape
    for axis in (0, 1):
        x.sum(dim=axis)


def early_end(x, n: int):
    M, N = x.shape
    for i in range(n):
        x *= 2
        if i > M:
            break


def helper(z):
    return z.exp() + 1


def calls(x: torch.Tensor):
    M, N = x.shape
    return helper(helper(x))


def views(x: torch.Tensor):
    M, N = x.shape
    y = x.t()[1:, ::2].unsqueeze(0)
    y[0, 0] = 1.0
    return y.contiguous()


def either_side(x, y=None):
    M, N = x.shape
    return x.sum() > 0 and x.exp()


def mixed(x, row):
    M, N = x.shape
    assert row.shape == (N,)
    y = torch.where(x > 0, x, 2 * row)
    y += 1
    return torch.maximum(-y, y / row).mean(dim=0)


def slices(x):
    M, N = x.shape
    x[:, 0:2] = 1.0
    x[1:] = x[:-1]
    return torch.cat([x, x[:, ::3]], dim=1).sum()


def repeated(x, n: int):
    M, N = x.shape
    for i in range(n):
        x *= 2


TABLE = torch.zeros((7,))


def with_builtins(x: torch.Tensor, n: int):
    m = max(n, 3)
    return abs(x), sum([x, x]), m


def with_table(x):
    M, N = x.shape
    return x.sum() + TABLE


def least_of_numbers(x: torch.Tensor, n):
    least = min(n, 5)
    return x * 2 if n // 2 > 1 else x
