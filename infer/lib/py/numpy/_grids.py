# This file defines what is made by subscripts: grids of numbers (mgrid, ogrid), joined arrays (r_, c_) and keys (s_, index_exp).
import _shapecheck
import numpy as np


class _Grid:
    def __init__(self, sparse):
        self.sparse = sparse

    def __getitem__(self, key):
        if not isinstance(key, (tuple, list)):
            return _range_of(key)
        axes = [_range_of(k) for k in key]
        if axes:
            common = np.result_type(*axes)
            axes = [a.astype(common) for a in axes]
        if self.sparse:
            axes = np.meshgrid(*axes, indexing='ij', sparse=True)
            return list(axes) if np.__version__[0] == '1' else tuple(axes)
        return np.stack(np.meshgrid(*axes, indexing='ij'))


def _range_of(k):
    # A slice as the numbers of a range; a complex step is how many.
    start = 0 if k.start is None else k.start
    step = 1 if k.step is None else k.step
    if isinstance(step, complex):
        return np.linspace(start, k.stop, int(abs(step)))
    return np.arange(start, k.stop, step)


def _is_number(v):
    return isinstance(v, (bool, int, float, complex, np.generic)) and not isinstance(v, np.ndarray)


_KINDS = 'biufc'


def _common(arrays, numbers):
    # Numbers beside arrays count by their kind alone; in numpy 1 also numpy's own.
    if np.__version__[0] != '1' or not numbers:
        return np.result_type(*arrays, *numbers)
    among = np.result_type(*[np.asarray(n).dtype for n in numbers])
    if not arrays:
        return among
    of_arrays = np.result_type(*arrays)
    return among if _KINDS.index(among.kind) > _KINDS.index(of_arrays.kind) else of_arrays


class _Join:
    def __init__(self, axis, ndmin, place):
        self.axis, self.ndmin, self.place = axis, ndmin, place

    def __getitem__(self, key):
        if not isinstance(key, tuple):
            key = (key,)
        axis, ndmin, place = self.axis, self.ndmin, self.place
        parts, arrays, numbers = [], [], []
        for i, item in enumerate(key):
            if isinstance(item, str):
                if i != 0:
                    raise ValueError('special directives must be the first entry.')
                if item in ('r', 'c'):
                    return _shapecheck.unknown('the class matrix')
                given = item.split(',')
                try:
                    given = [int(n) for n in given]
                except ValueError as e:
                    raise ValueError('unknown special directive ' + repr(item)) from e
                axis = given[0]
                ndmin = given[1] if len(given) > 1 else ndmin
                place = given[2] if len(given) > 2 else place
                continue
            if isinstance(item, slice):
                part, rank = _range_of(item), 1
            elif _is_number(item):
                numbers.append(item)
                parts.append(np.full((1,) * max(ndmin, 1), item))
                continue
            else:
                rank = np.ndim(item)
                part = np.asarray(item)
            arrays.append(part.dtype)
            part = np.array(part, ndmin=ndmin)
            if rank < ndmin and place != -1:
                if isinstance(item, slice):
                    part = part.swapaxes(-1, place)
                else:
                    new = ndmin - rank
                    first = place + new + 1 if place < 0 else place
                    axes = list(range(ndmin))
                    part = part.transpose(axes[:first] + axes[new:] + axes[first:new])
            parts.append(part)
        if parts:
            common = _common(arrays, numbers)
            parts = [p.astype(common) for p in parts]
        return np.concatenate(parts, axis)


class _Slices:
    def __init__(self, tuples):
        self.tuples = tuples

    def __getitem__(self, key):
        return (key,) if self.tuples and not isinstance(key, tuple) else key


mgrid, ogrid = _Grid(False), _Grid(True)
r_, c_ = _Join(0, 1, -1), _Join(-1, 2, 0)
s_, index_exp = _Slices(False), _Slices(True)
