# How many rows each part has; which rows they are is not known.
import math as _math
import numpy as _np
import torch as _torch
from _shapecheck import data_int as _data_int, is_symbolic as _is_symbolic, is_unknown as _is_unknown, open_list as _open_list, unknown as _unknown


def _size(size, n, up):
    if isinstance(size, float):
        return _math.ceil(size * n) if up else _math.floor(size * n)
    return size


def _part(a, n):
    if isinstance(a, _np.ndarray):
        return _np.empty((n,) + a.shape[1:], a.dtype)
    if isinstance(a, _torch.Tensor):
        return _torch.empty((n,) + tuple(a.shape[1:]), dtype=a.dtype)
    if hasattr(a, '_like'):  # a table
        return a._like(n)
    return _unknown('some of the rows of a value')


def train_test_split(*arrays, test_size=None, train_size=None, random_state=None, shuffle=True, stratify=None):
    known = [a for a in arrays if isinstance(a, (_np.ndarray, _torch.Tensor, list, tuple)) or not _is_unknown(a) and hasattr(a, '_like')]
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


class _Folds:
    # The rows for training and for testing of each fold. How many they are is known of folds of one size.
    _splits = 5

    def __init__(self, n_splits=None, *args, **kwargs):
        self.n_splits = self._splits if n_splits is None else n_splits

    def get_n_splits(self, X=None, y=None, groups=None):
        return self.n_splits

    def split(self, X, y=None, groups=None):
        n = self.n_splits
        if _is_unknown(n) or _is_symbolic(n):
            return iter(_open_list(self._fold(X), _data_int('folds', 1)))
        return iter([self._fold(X) for _ in range(n)])

    def _fold(self, X):
        rows = None if _is_unknown(X) else len(X)
        if self._even and rows is not None and not _is_symbolic(rows) and rows % self.n_splits == 0:
            test = rows // self.n_splits
            return _np.empty((rows - test,), _np.int64), _np.empty((test,), _np.int64)
        return _np.empty((_data_int('train', 0),), _np.int64), _np.empty((_data_int('test', 0),), _np.int64)

    _even = False


class KFold(_Folds):
    _even = True


class StratifiedKFold(_Folds):
    pass


class GroupKFold(_Folds):
    pass


class StratifiedGroupKFold(_Folds):
    pass


class TimeSeriesSplit(_Folds):
    pass


class ShuffleSplit(_Folds):
    _splits = 10


class StratifiedShuffleSplit(_Folds):
    _splits = 10


class RepeatedKFold(_Folds):
    def __init__(self, *, n_splits=5, n_repeats=10, random_state=None):
        self.n_splits = n_splits * n_repeats
