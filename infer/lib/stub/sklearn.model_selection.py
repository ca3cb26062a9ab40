# How many rows each part has; which rows they are is not known.
import math as _math
import numpy as _np
import torch as _torch
from _shapecheck import is_unknown as _is_unknown, unknown as _unknown


def _size(size, n, up):
    if isinstance(size, float):
        return _math.ceil(size * n) if up else _math.floor(size * n)
    return size


def _part(a, n):
    if isinstance(a, _np.ndarray):
        return _np.empty((n,) + a.shape[1:], a.dtype)
    if isinstance(a, _torch.Tensor):
        return _torch.empty((n,) + tuple(a.shape[1:]), dtype=a.dtype)
    return _unknown('some of the rows of a value')


def train_test_split(*arrays, test_size=None, train_size=None, random_state=None, shuffle=True, stratify=None):
    known = [a for a in arrays if isinstance(a, (_np.ndarray, _torch.Tensor, list, tuple))]
    if not known or _is_unknown(test_size) or _is_unknown(train_size):
        return [_unknown('some of the rows of a value') for a in arrays for _ in range(2)]
    n = len(known[0])
    if test_size is None and train_size is None:
        test_size = 0.25
    if test_size is None:
        train = _size(train_size, n, False)
        test = n - train
    else:
        test = _size(test_size, n, True)
        train = n - test if train_size is None else _size(train_size, n, False)
    return [p for a in arrays for p in (_part(a, train), _part(a, test))]
