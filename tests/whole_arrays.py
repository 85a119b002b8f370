"""Arrays without contents that count what is read and written.

A second reading of docs/io-model.md: `run` executes a Python function with
stand-ins for torch and numpy whose operators add up elements.
"""

import math


class Count:
    def __init__(self):
        self.reads = self.writes = 0


class Array:
    def __init__(self, count, shape, written=True):
        self.count, self.shape = count, tuple(shape)
        if written:
            count.writes += self.numel()

    def numel(self):
        return math.prod(self.shape)

    @property
    def device(self):
        return "cpu"

    def view(self, shape):
        return Array(self.count, shape, written=False)

    def operate(self, *others):
        """Reads all operands; the result has their common shape."""
        arrays = [a for a in (self, *others) if isinstance(a, Array)]
        self.count.reads += sum(a.numel() for a in arrays)
        rank = max(len(a.shape) for a in arrays)
        padded = [(1,) * (rank - len(a.shape)) + a.shape for a in arrays]
        shape = [max(axis) if 0 not in axis else 0 for axis in zip(*padded)]
        return Array(self.count, shape)

    def in_place(self, *others):
        self.count.reads += sum(a.numel() for a in (self, *others)
                                if isinstance(a, Array))
        self.count.writes += self.numel()
        return self

    def reduce(self, axis=None, keep=False):
        self.count.reads += self.numel()
        axes = range(len(self.shape)) if axis is None else (
            axis if isinstance(axis, tuple) else (axis,))
        axes = {a % len(self.shape) for a in axes}
        return Array(self.count, [1 if d in axes else n
                                  for d, n in enumerate(self.shape)
                                  if keep or d not in axes])

    def sum(self, dim=None, axis=None, keepdim=False, keepdims=False):
        return self.reduce(axis if dim is None else dim, keepdim or keepdims)

    mean = sum

    def max(self, dim=None, axis=None, keepdim=False, keepdims=False):
        if dim is None:
            return self.reduce(axis, keepdims)
        values = self.reduce(dim, keepdim)
        self.count.writes -= values.numel()
        return Pair(values)

    min = max

    def exp(self):
        return self.operate()

    def __matmul__(self, other):
        self.count.reads += self.numel() + other.numel()
        return Array(self.count, self.shape[:-1] + other.shape[-1:])

    def cut(self, index):
        index = index if isinstance(index, tuple) else (index,)
        shape, axis = [], 0
        for i in index:
            if i is None:
                shape.append(1)
                continue
            if isinstance(i, slice):
                shape.append(len(range(*i.indices(self.shape[axis]))))
            axis += 1
        return shape + list(self.shape[axis:])

    def __getitem__(self, index):
        return self.view(self.cut(index))

    def __setitem__(self, index, value):
        if value is self.last:
            return  # x[...] *= 2 has done it
        part = self.view(self.cut(index))
        self.count.reads += value.numel() if isinstance(value, Array) else 0
        self.count.writes += part.numel()

    last = None

    def __imul__(self, other):
        return self.in_place(other)

    __iadd__ = __imul__

    def __add__(self, other):
        return self.operate(other)

    __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __add__
    __truediv__ = __rtruediv__ = __gt__ = __lt__ = __add__

    def __neg__(self):
        return self.operate()


class Pair:
    """Two results, each written when it is taken."""

    def __init__(self, values):
        self.result = values

    def take(self):
        return Array(self.result.count, self.result.shape)

    def __getitem__(self, index):
        return self.take()

    values = property(take)
    indices = property(take)


class Library:
    """torch, torch.nn.functional and numpy."""

    Tensor = Array
    float32 = "float32"

    def __init__(self, count):
        self.count = count

    def zeros(self, shape, **_):
        return Array(self.count, shape)

    ones = zeros

    def empty(self, shape, **_):
        return Array(self.count, shape, written=False)

    def max(self, x, **options):
        return x.max(**options)

    def relu(self, x):
        return x.operate()

    exp = sqrt = tanh = relu

    def maximum(self, a, b):
        return a.operate(b)

    def where(self, condition, a, b):
        return condition.operate(a, b)

    def cat(self, parts, dim=0):
        self.count.reads += sum(p.numel() for p in parts)
        shape = list(parts[0].shape)
        shape[dim] = sum(p.shape[dim] for p in parts)
        return Array(self.count, shape)


def run(source, name, shapes, numbers=()):
    """Elements that a function reads and writes, called with arrays of these
    shapes and then these numbers."""
    count = Count()
    library = Library(count)
    text = "\n".join(line for line in source.splitlines()
                     if not line.startswith(("import ", "from ")))
    scope = {"torch": library, "np": library, "F": library}
    exec(compile(text, "source", "exec"), scope)
    count.reads = count.writes = 0  # what the module makes is not the function's
    arrays = [Array(count, shape, written=False) for shape in shapes]
    scope[name](*arrays, *numbers)
    return count.reads, count.writes
