# This file defines numpy's functions that choose, apply and combine pieces of arrays.
import _shapecheck
import numpy as np


def apply_along_axis(func1d, axis, arr, *args, **kwargs):
    arr = np.asarray(arr)
    nd = arr.ndim
    axis = _axis(axis, nd)
    outer = arr.shape[:axis] + arr.shape[axis + 1:]
    if any(n is 0 for n in outer):
        raise ValueError('Cannot apply_along_axis when any iteration dimensions are 0')
    line = arr[(0,) * axis + (slice(None),) + (0,) * (nd - axis - 1)]
    res = np.asarray(func1d(line, *args, **kwargs))
    out = np.empty(outer[:axis] + res.shape + outer[axis:], dtype=res.dtype)
    return out


def _axis(axis, nd):
    import operator
    axis = operator.index(axis)
    if not -nd <= axis < nd:
        raise np.AxisError('axis ' + str(axis) + ' is out of bounds for array of dimension ' + str(nd))
    return axis + nd if axis < 0 else axis


def apply_over_axes(func, a, axes):
    val = np.asarray(a)
    n = val.ndim
    if np.asarray(axes).ndim == 0:
        axes = (axes,)
    for axis in axes:
        if axis < 0:
            axis = n + axis
        res = func(val, axis)
        if res.ndim == val.ndim:
            val = res
            continue
        res = np.expand_dims(res, axis)
        if res.ndim != val.ndim:
            raise ValueError('function is not returning an array of the correct shape')
        val = res
    return val


def piecewise(x, condlist, funclist, *args, **kw):
    x = np.asarray(x)
    n2 = len(funclist)
    if np.isscalar(condlist) or not isinstance(condlist[0], (list, np.ndarray)) and x.ndim != 0:
        condlist = [condlist]
    condlist = np.asarray(condlist, dtype=bool)
    n = len(condlist)
    if n == n2 - 1:
        condelse = ~np.any(condlist, axis=0, keepdims=True)
        condlist = np.concatenate([condlist, condelse], axis=0)
        n += 1
    elif n != n2:
        raise ValueError('with ' + str(n) + ' condition(s), either ' + str(n) + ' or ' + str(n + 1) + ' functions are expected')
    y = np.zeros(x.shape, x.dtype)
    for cond, func in zip(condlist, funclist):
        if callable(func):
            vals = x[cond]
            if vals.size > 0:
                y[cond] = func(vals, *args, **kw)
        elif not (type(cond.size) is int and cond.size == 0):  # a mask without elements fits all
            y[cond] = func
    return y


def select(condlist, choicelist, default=0):
    if len(condlist) != len(choicelist):
        raise ValueError('list of cases must be same length as list of conditions')
    if len(condlist) == 0:
        raise ValueError('select with an empty condition list is not possible')
    # numpy 2 leaves Python numbers weak.
    choices = [c if np.__version__[0] != '1' and type(c) in (int, float, complex) else np.asarray(c) for c in list(choicelist) + [default]]
    dtype = np.result_type(*choices)
    for i, cond in enumerate(condlist):
        if np.asarray(cond).dtype != bool:
            raise TypeError('invalid entry ' + str(i) + ' in condlist: should be boolean ndarray')
    shape = np.broadcast_arrays(*[np.asarray(c) for c in condlist])[0].shape
    shape = np.broadcast_shapes(shape, *[np.asarray(c).shape for c in choices[:-1]])
    result = np.full(shape, np.asarray(choices[-1]).astype(dtype), dtype)
    for cond, choice in reversed(list(zip(condlist, choices[:-1]))):
        if not np.can_cast(np.asarray(choice).dtype, dtype, 'same_kind'):  # np.copyto's rule
            raise TypeError('Cannot cast array data from ' + repr(np.asarray(choice).dtype) + ' to ' + repr(dtype) + " according to the rule 'same_kind'")
        result = np.where(cond, np.asarray(choice).astype(dtype), result)
    return result


def choose(a, choices, out=None, mode='raise'):
    index = np.asarray(a)
    if mode not in ('raise', 'wrap', 'clip') and (np.__version__[0] != '1' or mode[:1].lower() not in ('r', 'w', 'c')):
        raise ValueError('mode must be one of clip, raise, or wrap')
    if isinstance(choices, np.ndarray):
        choices = list(choices)
    if out is not None and not isinstance(out, np.ndarray):
        raise TypeError('output must be an array')
    if not np.can_cast(index.dtype, np.intp, casting='same_kind' if mode != 'raise' else 'safe'):
        raise TypeError('Cannot cast array data to int64 according to the rule safe')
    # np.choose makes one array of all choices: their dtypes count, not their values.
    arrays = [np.asarray(c) for c in choices]
    dtype = np.result_type(*[c.dtype for c in arrays])
    shape = np.broadcast_shapes(index.shape, *[c.shape for c in arrays])
    if mode == 'raise' and any(isinstance(n, int) and not 0 <= n < len(arrays) for n in np.ravel(index).tolist()):
        raise ValueError('invalid entry in choice array')
    result = np.zeros(shape, dtype)
    for k, c in enumerate(arrays):
        result = np.where(index == k, c.astype(dtype), result)
    if out is not None:
        out[...] = result
        return out
    return result


def extract(condition, arr):
    return np.take(np.ravel(arr), np.nonzero(np.ravel(condition))[0])


def compress(condition, a, axis=None, out=None):
    condition = np.asarray(condition)
    if condition.ndim != 1:
        raise ValueError('condition must be a 1-d array')
    res = np.take(a, np.nonzero(condition)[0], axis=axis)
    if out is None:
        return res
    out[...] = res
    return out


def put_along_axis(arr, indices, values, axis):
    if isinstance(indices, (list, tuple)):
        raise AttributeError(repr(type(indices).__name__) + " object has no attribute 'dtype'")
    indices = np.asarray(indices)
    if not np.issubdtype(indices.dtype, np.integer):
        raise IndexError('`indices` must be an integer array')
    if axis is None:
        if indices.ndim != 1:
            raise ValueError('`indices` and `arr` must have the same number of dimensions')
        np.put(arr, indices, values)
        return
    axis = _axis(axis, arr.ndim)
    np.broadcast_to(values, np.take_along_axis(arr, indices, axis).shape)  # checks the indices and the values
    arr[...] = np.empty(arr.shape, arr.dtype)


def block(arrays):
    depth = _depth(arrays)
    return _block(arrays, depth, 1, max(_ndim(arrays), depth))


def _depth(arrays):
    if isinstance(arrays, tuple):
        raise TypeError('arrays is a tuple. Only lists can be used to arrange blocks, and np.block does not allow implicit conversion from tuple to ndarray.')
    if not isinstance(arrays, list):
        return 0
    if not arrays:
        raise ValueError('List at arrays cannot be empty')
    depths = [_depth(a) for a in arrays]
    if any(d != depths[0] for d in depths):
        raise ValueError('List depths are mismatched. First element was at depth ' + str(depths[0]) + ', but there is an element at another depth')
    return depths[0] + 1


def _ndim(arrays):
    if isinstance(arrays, list):
        return max(_ndim(a) for a in arrays)
    return np.asarray(arrays).ndim


def _block(arrays, depth, level, ndim):
    if isinstance(arrays, list):
        return np.concatenate([_block(a, depth, level + 1, ndim) for a in arrays], axis=-(depth - level + 1))
    return np.array(arrays, ndmin=ndim)


def diagflat(v, k=0):
    v = np.asarray(v).ravel()
    return np.diag(v, k)


def resize(a, new_shape):
    if isinstance(new_shape, int):
        new_shape = (new_shape,)
    a = np.ravel(a)
    size = 1
    for dim in new_shape:
        size *= dim
        if dim < 0:
            raise ValueError('all elements of `new_shape` must be non-negative')
    if a.size == 0 or size == 0:
        return np.zeros(new_shape, dtype=a.dtype)
    repeats = -(-size // a.size)
    a = np.concatenate((a,) * repeats)[:size] if type(repeats) is int and repeats < 64 else np.empty(size, a.dtype)
    return np.reshape(a, new_shape)


_given = object()  # in the place of an argument that was not given


def trim_zeros(filt, trim='fb', axis=_given):
    if axis is not _given and np.__version__ < '2.2':
        raise TypeError('trim_zeros() takes no axis before numpy 2.2')
    if np.__version__ >= '2.2' and np.ndim(filt) != 1:
        filt = np.asarray(filt)
        return np.empty([_shapecheck.new_size(0) for _ in filt.shape], dtype=filt.dtype)
    if isinstance(filt, np.ndarray) and filt.ndim == 0:
        raise TypeError('iteration over a 0-d array')
    trim = trim.upper()
    n = len(filt)
    first, last = 0, n
    if type(n) is not int:
        return _shapecheck.unknown('how many zeros there are')
    if 'F' in trim:
        while first < n and not filt[first] != 0:
            first += 1
    if 'B' in trim:
        while last > 0 and not filt[last - 1] != 0:
            last -= 1
    return filt[first:last]


def fill_diagonal(a, val, wrap=False):
    if a.ndim < 2:
        raise ValueError('array must be at least 2-d')
    if a.ndim > 2 and not all(n == a.shape[0] for n in a.shape):
        raise ValueError('All dimensions of input must be of equal length')
    np.putmask(a, False, np.asarray(val).astype(a.dtype))


def nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    return np.positive(x) if np.asarray(x).dtype != bool else np.asarray(x)


def rec_drop(*args):
    return _shapecheck.unknown('a record array')
