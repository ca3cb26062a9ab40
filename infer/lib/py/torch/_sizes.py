# This file is what torch computes with sizes: functions of torch that take them for ints,
# where the module itself has dtypes of these names.
import math
import torch


def unravel_index(indices, shape):
    if indices.is_complex() or indices.is_floating_point() or indices.dtype == torch.bool:
        raise TypeError(f'unravel_index: indices must be integers, but are {indices.dtype}')
    if not isinstance(shape, (int, list, tuple)):
        raise TypeError(f'unravel_index: shape must be an int or ints, not {type(shape)}')
    sizes = (shape,) if isinstance(shape, int) else tuple(shape)
    for n in sizes:
        if not isinstance(n, int):
            raise TypeError(f'unravel_index: shape must hold ints, not {type(n)}')
    for n in sizes:
        if n < 0:
            raise ValueError(f'unravel_index: shape must not be negative: {sizes}')
    for n in sizes:
        if n == 0 and indices.numel() != 0:
            raise ValueError(f'unravel_index: nothing has an index in {sizes}')
    steps = [1]
    for n in sizes[:0:-1]:
        steps.insert(0, steps[0] * n)
    if not sizes:
        steps = []
    places = indices.unsqueeze(-1).floor_divide(torch.tensor(steps, device=indices.device, dtype=torch.int64))
    return (places % torch.tensor(sizes, device=indices.device, dtype=torch.int64)).unbind(-1)


# What a size may be under a compiler is an int or a bool here.
def sym_int(a):
    return math.trunc(a)


def sym_float(a):
    return float(a)


def sym_not(a):
    return not a


def sym_max(a, b):
    # A float among the two makes the result a float.
    m = a if a >= b else b
    return float(m) if isinstance(a, float) or isinstance(b, float) else m


def sym_min(a, b):
    m = a if a <= b else b
    return float(m) if isinstance(a, float) or isinstance(b, float) else m


def sym_sum(args):
    total = 0
    for a in args:
        total = total + a
    return total


def sym_sqrt(a):
    return a ** 0.5


def sym_ite(b, t, f):
    return t if b else f


def sym_constrain_range(size, *, min=None, max=None):
    pass
