# jax.numpy: numpy's functions on JAX's arrays, with JAX's dtypes. What a function of numpy
# computes is numpy's to say; here stand the dtypes and what is different while tracing.
import numpy as np
import _shapecheck
from jax import _core
from jax._core import Array, asarray as _asarray, operand as _operand, promote, carrier as _carrier, name_of as _name_of, canonical as _canonical, blank as _blank
from numpy import pi, e, inf, nan, newaxis

ndarray = Array
bool_ = _core.DType('bool')
_DTYPES = ('int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64', 'float16', 'bfloat16', 'float32', 'float64', 'complex64', 'complex128')
for _n in _DTYPES:
    globals()[_n] = _core.DType(_n)
bool = bool_
float_, int_, uint, double, single = _core.DType('float64'), _core.DType('int64'), _core.DType('uint64'), _core.DType('float64'), _core.DType('float32')
complex_, csingle, cdouble = _core.DType('complex128'), _core.DType('complex64'), _core.DType('complex128')
generic, number, inexact, floating, integer, signedinteger, unsignedinteger, complexfloating = (
    np.generic, np.number, np.inexact, np.floating, np.integer, np.signedinteger, np.unsignedinteger, np.complexfloating)


def dtype(d, *args, **kw):
    return _core.DType(_name_of(d))


def _shapes(*xs):
    return ', '.join(['(' + ', '.join([str(n) for n in x.shape]) + (',)' if x.ndim == 1 else ')') for x in xs])


def _result(a, d, w=False, *xs):
    """What an operation on xs gives: a tracer if one of them is one."""
    t = 0
    for x in xs:
        t = t or x._t
    t = t or _core.current()
    return Array(np.asarray(a) if not t else np.asarray(a), d, w, t)


_LOST = 'an operation of JAX on a value that is not known'


def _unary(name, kind):
    f = getattr(np, name)

    def op(x, *args, **kw):
        x = _operand(x)
        if x is None:
            return _shapecheck.unknown(_LOST)
        d, w = x._d, x._w
        if kind == 'float' and _core.rank_of(d) < 2:
            d = _canonical('float')
        elif kind == 'bool':
            d, w = 'bool', False
        elif kind == 'abs' and _core.rank_of(d) == 3:
            d = {'complex64': 'float32', 'complex128': 'float64'}[d]
        return _result(np.asarray(f(x._a)).astype(_carrier(d)), d, w, x)
    op.__name__ = op.__qualname__ = name
    return op


for _n in ('exp', 'exp2', 'expm1', 'log', 'log2', 'log10', 'log1p', 'sqrt', 'cbrt', 'sin', 'cos', 'tan', 'arcsin', 'arccos', 'arctan', 'sinh', 'cosh', 'tanh',
           'arcsinh', 'arccosh', 'arctanh', 'deg2rad', 'rad2deg', 'degrees', 'radians', 'sinc'):
    globals()[_n] = _unary(_n, 'float')
for _n in ('negative', 'positive', 'square', 'sign', 'floor', 'ceil', 'trunc', 'rint', 'reciprocal', 'conj', 'conjugate', 'invert', 'nan_to_num', 'fix'):
    globals()[_n] = _unary(_n, 'same')
for _n in ('isnan', 'isinf', 'isfinite', 'logical_not', 'signbit', 'isposinf', 'isneginf'):
    globals()[_n] = _unary(_n, 'bool')
abs = absolute = fabs = _unary('abs', 'abs')
bitwise_not = bitwise_invert = globals()['invert']
acos, asin, atan = globals()['arccos'], globals()['arcsin'], globals()['arctan']
_builtin_abs = abs


def _wide(name, kind):
    f = getattr(np, name)

    def op(x, y, *args, **kw):
        x, y = _operand(x), _operand(y)
        if x is None or y is None:
            return _shapecheck.unknown(_LOST)
        d, w = promote(x._d, x._w, y._d, y._w)
        if kind == 'float' and _core.rank_of(d) < 2:
            d = _canonical('float')
        elif kind == 'logical':
            d = 'bool'
        elif kind == 'int' and d == 'bool':
            d = 'int32'
        c = _carrier(d)
        p, q = x._a, y._a
        if p.dtype.name != c:
            p = p.astype(c)
        if q.dtype.name != c:
            q = q.astype(c)
        try:
            a = np.asarray(f(p, q))
        except ValueError:
            if p.ndim != q.ndim:
                raise ValueError('Incompatible shapes for broadcasting: shapes=[' + _shapes(x, y) + ']')
            raise TypeError(name + ' got incompatible shapes for broadcasting: ' + _shapes(x, y) + '.')
        if kind in ('bool', 'logical'):
            return _result(a, 'bool', False, x, y)
        if a.dtype.name != c:
            a = a.astype(c)
        return _result(a, d, w, x, y)
    op.__name__ = op.__qualname__ = name
    return op


for _n in ('add', 'subtract', 'multiply', 'maximum', 'minimum', 'fmax', 'fmin', 'power', 'float_power', 'bitwise_and', 'bitwise_or', 'bitwise_xor', 'gcd', 'lcm'):
    globals()[_n] = _wide(_n, 'same')
for _n in ('floor_divide', 'remainder', 'fmod', 'left_shift', 'right_shift'):
    globals()[_n] = _wide(_n, 'int')
for _n in ('true_divide', 'arctan2', 'logaddexp', 'hypot', 'copysign', 'nextafter', 'heaviside'):
    globals()[_n] = _wide(_n, 'float')
for _n in ('equal', 'not_equal', 'less', 'less_equal', 'greater', 'greater_equal'):
    globals()[_n] = _wide(_n, 'bool')
for _n in ('logical_and', 'logical_or', 'logical_xor'):
    globals()[_n] = _wide(_n, 'logical')
divide, mod, atan2, pow = globals()['true_divide'], globals()['remainder'], globals()['arctan2'], globals()['power']
bitwise_left_shift, bitwise_right_shift = globals()['left_shift'], globals()['right_shift']


def _reduction(name, kind):
    f = getattr(np, name)

    def op(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None, ddof=0, **kw):
        x = _operand(a)
        if x is None or _shapecheck.is_unknown(axis):
            return _shapecheck.unknown(_LOST)
        if isinstance(axis, Array):
            axis = axis.__index__()
        d = x._d
        if kind == 'float':
            d = d if _core.rank_of(d) >= 2 else _canonical('float')
        elif kind == 'bool':
            d = 'bool'
        elif kind == 'sum' and d == 'bool':
            d = _canonical('int')
        elif kind == 'sum' and d in ('int8', 'int16'):
            d = 'int32'
        elif kind == 'sum' and d in ('uint8', 'uint16'):
            d = 'uint32'
        if dtype is not None:
            d = _canonical(_name_of(dtype))
        try:
            r = np.asarray(f(x._a, axis=axis, keepdims=keepdims))
        except ValueError as e:
            if isinstance(axis, int) and not -x.ndim <= axis < x.ndim:
                raise ValueError('axis %s is out of bounds for array of dimension %s' % (axis, x.ndim))
            raise
        return _result(r.astype(_carrier(d)), d, x._w and kind in ('same',), x)
    op.__name__ = op.__qualname__ = name
    return op


for _n, _m in (('sum', 'sum'), ('prod', 'sum'), ('mean', 'float'), ('std', 'float'), ('var', 'float'), ('max', 'same'), ('min', 'same'), ('all', 'bool'), ('any', 'bool'),
               ('ptp', 'same'), ('median', 'float'), ('nansum', 'sum'), ('nanmean', 'float'), ('nanmax', 'same'), ('nanmin', 'same'), ('count_nonzero', 'int')):
    if hasattr(np, _n):
        globals()[_n] = _reduction(_n, _m)
amax, amin = globals()['max'], globals()['min']


def count_nonzero(a, axis=None, keepdims=False):
    return globals()['sum'](not_equal(a, 0), axis=axis, keepdims=keepdims)


def _moves(name, same=True):
    """A function of one array that keeps its dtype; its other arguments are numpy's."""
    f = getattr(np, name)

    def op(a, *args, **kw):
        x = _operand(a)
        if x is None or not _known(args) or not _known(tuple(kw.values())):
            return _shapecheck.unknown(_LOST)
        try:
            r = f(x._a, *_static(args), **{k: _static(v) for k, v in kw.items()})
        except ValueError as e:
            raise (TypeError if name in ('reshape',) else ValueError)(str(e))
        if isinstance(r, (list, tuple)):
            return [_result(p, x._d, x._w, x) for p in r]
        return _result(r, x._d, x._w, x)
    op.__name__ = op.__qualname__ = name
    return op


def _known(v):
    if isinstance(v, (list, tuple)):
        return not [1 for x in v if not _known(x)]
    return not _shapecheck.is_unknown(v)


def _static(v):
    """Sizes and axes as numbers: a tracer among them is an error."""
    if isinstance(v, (list, tuple)):
        return type(v)([_static(x) for x in v]) if type(v) in (list, tuple) else tuple([_static(x) for x in v])
    if isinstance(v, Array):
        if _core.live(v):
            raise TypeError('Shapes must be 1D sequences of concrete values of integer type, got ' + str(v) + '.')
        return int(v._a) if v.ndim == 0 else tuple([int(n) for n in v._a.tolist()])
    return v


for _n in ('transpose', 'squeeze', 'expand_dims', 'swapaxes', 'moveaxis', 'rollaxis', 'broadcast_to', 'tile', 'flip', 'fliplr', 'flipud', 'rot90', 'roll', 'triu', 'tril',
           'diag', 'diagonal', 'trace', 'split', 'array_split', 'hsplit', 'vsplit', 'dsplit', 'atleast_1d', 'atleast_2d', 'atleast_3d', 'sort',
           'cumsum', 'cumprod', 'diff', 'flatnonzero_', 'diagflat', 'resize', 'partition'):
    if hasattr(np, _n):
        globals()[_n] = _moves(_n)
permute_dims = globals()['transpose']
_np_reshape = _moves('reshape')


def reshape(a, shape=None, order='C', **kw):
    x = _operand(a)
    if x is None or not _known(shape):
        return _shapecheck.unknown(_LOST)
    return _np_reshape(x, _static(shape if shape is not None else kw.get('newshape')))


def ravel(a, order='C', **kw):
    return reshape(a, -1)


flatten = ravel


def astype(x, dtype, **kw):
    return x.astype(dtype)


def matrix_transpose(x):
    return swapaxes(x, -1, -2)


def _index(name):
    f = getattr(np, name)

    def op(a, axis=None, keepdims=None, **kw):
        x = _operand(a)
        if x is None or _shapecheck.is_unknown(axis):
            return _shapecheck.unknown(_LOST)
        r = np.asarray(f(x._a, axis=axis) if not keepdims else f(x._a, axis=axis, keepdims=True))
        d = _canonical('int')
        return _result(r.astype(d), d, False, x)
    return op


argmax, argmin = _index('argmax'), _index('argmin')


def argsort(a, axis=-1, **kw):
    x = _operand(a)
    if x is None:
        return _shapecheck.unknown(_LOST)
    return _result(np.argsort(x._a, axis=axis).astype('int32'), _canonical('int'), False, x)


def array(object, dtype=None, copy=True, order='K', ndmin=0, **kw):
    x = _asarray(object, dtype)
    if ndmin and not _shapecheck.is_unknown(x) and x.ndim < ndmin:
        x = reshape(x, (1,) * (ndmin - x.ndim) + x.shape)
    return x


def asarray(a, dtype=None, **kw):
    return _asarray(a, dtype)


def copy(a, **kw):
    return _asarray(a)


def _dt(dtype, default='float'):
    return _canonical(default if dtype is None else _name_of(dtype))


def _size(shape):
    s = _static(shape)
    return s


def _filled(name):
    f = getattr(np, name)

    def op(shape, dtype=None, **kw):
        if not _known(shape) or _shapecheck.is_unknown(dtype):
            return _shapecheck.unknown(_LOST)
        d = _dt(dtype)
        return Array(f(_size(shape), _carrier(d)), d, False)
    return op


zeros, ones, empty = _filled('zeros'), _filled('ones'), _filled('empty')


def _alike(name):
    f = getattr(np, name)

    def op(a, dtype=None, shape=None, **kw):
        x = _operand(a)
        if x is None or _shapecheck.is_unknown(dtype) or not _known(shape):
            return _shapecheck.unknown(_LOST)
        d = x._d if dtype is None else _dt(dtype)
        return Array(f(x._a.shape if shape is None else _size(shape), _carrier(d)), d, x._w and dtype is None)
    return op


zeros_like, ones_like, empty_like = _alike('zeros'), _alike('ones'), _alike('empty')


def full(shape, fill_value, dtype=None, **kw):
    x = _operand(fill_value)
    if x is None or not _known(shape) or _shapecheck.is_unknown(dtype):
        return _shapecheck.unknown(_LOST)
    d = x._d if dtype is None else _dt(dtype)
    r = np.full(_size(shape), x._a, _carrier(d)) if x.ndim == 0 else np.broadcast_to(x._a, _size(shape)).astype(_carrier(d))
    return _result(r, d, x._w and dtype is None, x)


def full_like(a, fill_value, dtype=None, shape=None, **kw):
    x = _operand(a)
    if x is None:
        return _shapecheck.unknown(_LOST)
    return full(x.shape if shape is None else shape, fill_value, x.dtype if dtype is None else dtype)


def arange(start, stop=None, step=None, dtype=None, **kw):
    if not _known((start, stop, step)):
        return _shapecheck.unknown(_LOST)
    d, w = None, True
    for v in (start, stop, step):
        if v is not None:
            x = _operand(v)
            if isinstance(v, Array) and x._t:
                _core.fail('ConcretizationTypeError', 'It arose in the jnp.arange argument: ' + str(x))
            d, w = (x._d, x._w) if d is None else promote(d, w, x._d, x._w)
    if dtype is not None:
        d = _dt(dtype)
    args = [v.item() if isinstance(v, Array) else v for v in ((start,) if stop is None else (start, stop)) + (() if step is None else (step,))]
    if stop is None and step is not None:
        args = [0] + args
    return Array(np.arange(*args).astype(_carrier(d)), d, False)


def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, **kw):
    s, e = _operand(start), _operand(stop)
    if s is None or e is None or not _known(num):
        return _shapecheck.unknown(_LOST)
    d = _dt(dtype)
    shape = np.broadcast_shapes(s.shape, e.shape)
    return _result(np.empty((_static(num),) + tuple(shape), _carrier(d)), d, False, s, e)


def logspace(start, stop, num=50, *args, **kw):
    return linspace(start, stop, num)


geomspace = logspace


def eye(N, M=None, k=0, dtype=None, **kw):
    if not _known((N, M, k)):
        return _shapecheck.unknown(_LOST)
    d = _dt(dtype)
    return Array(np.eye(_static(N), None if M is None else _static(M), k, dtype=_carrier(d)), d, False)


def identity(n, dtype=None):
    return eye(n, dtype=dtype)


def tri(N, M=None, k=0, dtype=None):
    return eye(N, M, dtype=dtype)


def _together(xs):
    """Arrays brought to one dtype; None: one is not known."""
    if _shapecheck.is_unknown(xs):
        return None, None, None
    if isinstance(xs, Array):
        xs = [xs[i] for i in range(len(xs))]
    out = [_operand(x) for x in xs]
    if not _known(tuple(xs)) or [1 for x in out if x is None]:
        return None, None, None
    if not out:
        raise ValueError('need at least one array to concatenate')
    d, w = out[0]._d, out[0]._w
    for x in out[1:]:
        d, w = promote(d, w, x._d, x._w)
    return out, d, w


def _joins(name):
    f = getattr(np, name)

    def op(arrays, axis=0, dtype=None, **kw):
        xs, d, w = _together(arrays)
        if xs is None:
            return _shapecheck.unknown(_LOST)
        if dtype is not None:
            d = _dt(dtype)
        parts = [x._a.astype(_carrier(d)) for x in xs]
        try:
            r = f(parts, axis=axis) if name in ('stack', 'concatenate') else f(parts)
        except ValueError as e:
            raise (TypeError if name == 'concatenate' and len(xs) and xs[0].ndim else ValueError)(str(e))
        return _result(r, d, w, *xs)
    op.__name__ = op.__qualname__ = name
    return op


concatenate, stack, vstack, hstack, dstack, column_stack = (_joins(n) for n in ('concatenate', 'stack', 'vstack', 'hstack', 'dstack', 'column_stack'))
row_stack, concat = vstack, concatenate


def append(arr, values, axis=None):
    if axis is None:
        return concatenate([ravel(arr), ravel(values)], 0)
    return concatenate([arr, values], axis)


def where(condition, x=None, y=None, *, size=None, fill_value=None):
    c = _operand(condition)
    if x is None and y is None:
        return nonzero(condition, size=size)
    xs, d, w = _together((x, y))
    if c is None or xs is None:
        return _shapecheck.unknown(_LOST)
    try:
        r = np.where(c._a, xs[0]._a.astype(_carrier(d)), xs[1]._a.astype(_carrier(d)))
    except ValueError:
        raise ValueError('Incompatible shapes for broadcasting: shapes=[' + _shapes(c, *xs) + ']')
    return _result(np.asarray(r).astype(_carrier(d)), d, w, c, *xs)


def select(condlist, choicelist, default=0):
    r = default
    for c, x in zip(reversed(list(condlist)), reversed(list(choicelist))):
        r = where(c, x, r)
    return r


def nonzero(a, *, size=None, fill_value=None):
    x = _operand(a)
    if x is None or not _known(size):
        return _shapecheck.unknown(_LOST)
    if size is None:
        if _core.live(x) or _core.current():
            _core.fail('ConcretizationTypeError', 'Abstract tracer value encountered where concrete value is expected: the size argument of jnp.nonzero must be statically specified')
        return tuple([Array(p.astype('int32'), 'int32', False) for p in np.nonzero(x._a)])
    return tuple([_result(np.empty((_static(size),), 'int32'), _canonical('int'), False, x) for _ in range(x.ndim)])


def argwhere(a, *, size=None, fill_value=None):
    return transpose(stack(nonzero(a, size=size)))


def flatnonzero(a, *, size=None, fill_value=None):
    return nonzero(ravel(a), size=size)[0]


def unique(ar, *args, size=None, **kw):
    x = _operand(ar)
    if x is None:
        return _shapecheck.unknown(_LOST)
    if size is None:
        if x._t or _core.current():
            _core.fail('ConcretizationTypeError', 'the size argument of jnp.unique must be statically specified')
        if args or kw:
            return _shapecheck.unknown('further results of jnp.unique')
        return Array(np.unique(x._a), x._d, False)
    return _result(np.empty((_static(size),), _carrier(x._d)), x._d, False, x)


def clip(arr=None, min=None, max=None, *, a=None, a_min=None, a_max=None):
    r = arr if a is None else a
    lo, hi = min if a_min is None else a_min, max if a_max is None else a_max
    if lo is not None:
        r = maximum(r, lo)
    if hi is not None:
        r = minimum(r, hi)
    return r


def round(a, decimals=0, out=None):
    x = _operand(a)
    return _shapecheck.unknown(_LOST) if x is None else _result(_blank(x._a), x._d, x._w, x)


around = round


def _products(name):
    f = getattr(np, name)

    def op(a, b, *args, **kw):
        xs, d, w = _together((a, b))
        if xs is None:
            return _shapecheck.unknown(_LOST)
        if kw.get('preferred_element_type') is not None:
            d = _dt(kw.get('preferred_element_type'))
        kw = {k: v for k, v in kw.items() if k not in ('precision', 'preferred_element_type', 'out_sharding')}
        try:
            r = f(xs[0]._a.astype(_carrier(d)), xs[1]._a.astype(_carrier(d)), *args, **kw)
        except ValueError as e:
            raise TypeError(name + ' got incompatible shapes: ' + _shapes(*xs) + '.')
        return _result(np.asarray(r).astype(_carrier(d)), d, w, *xs)
    op.__name__ = op.__qualname__ = name
    return op


dot, matmul, inner, outer, tensordot, vdot, kron, cross = (_products(n) for n in ('dot', 'matmul', 'inner', 'outer', 'tensordot', 'vdot', 'kron', 'cross'))


def vecdot(a, b, axis=-1, **kw):
    return globals()['sum'](multiply(a, b), axis=axis)


def einsum(subscripts, *operands, **kw):
    if not isinstance(subscripts, str):
        return _shapecheck.unknown('einsum with lists of axes')
    xs, d, w = _together(operands)
    if xs is None:
        return _shapecheck.unknown(_LOST)
    try:
        r = np.einsum(subscripts, *[x._a.astype(_carrier(d)) for x in xs])
    except ValueError as e:
        raise ValueError(str(e))
    return _result(np.asarray(r).astype(_carrier(d)), d, w, *xs)


def take(a, indices, axis=None, **kw):
    x, i = _operand(a), _operand(indices)
    if x is None or i is None:
        return _shapecheck.unknown(_LOST)
    n = _blank(i._a).astype('int32')
    if axis is None:
        return _result(np.empty(i.shape, _carrier(x._d)), x._d, False, x, i)
    axis = axis + x.ndim if axis < 0 else axis
    return _result(np.empty(x.shape[:axis] + i.shape + x.shape[axis + 1:], _carrier(x._d)), x._d, False, x, i)


def take_along_axis(arr, indices, axis=-1, **kw):
    x, i = _operand(arr), _operand(indices)
    if x is None or i is None:
        return _shapecheck.unknown(_LOST)
    if axis is None:
        return _result(np.empty(i.shape, _carrier(x._d)), x._d, False, x, i)
    return _result(np.take_along_axis(x._a, np.zeros(i.shape, 'int64'), axis), x._d, False, x, i)


def repeat(a, repeats, axis=None, *, total_repeat_length=None, **kw):
    x = _operand(a)
    if x is None or not _known(repeats):
        return _shapecheck.unknown(_LOST)
    if isinstance(repeats, Array) and repeats._t and total_repeat_length is None:
        _core.fail('ConcretizationTypeError', 'When jit-compiling jnp.repeat, the total number of repeats must be static.')
    if total_repeat_length is not None or isinstance(repeats, Array) and repeats.ndim:
        return _shapecheck.unknown('jnp.repeat with several counts')
    return _result(np.repeat(x._a, _static(repeats), axis), x._d, x._w, x)


def pad(array, pad_width, mode='constant', **kw):
    x = _operand(array)
    if x is None or not _known(pad_width):
        return _shapecheck.unknown(_LOST)
    return _result(np.pad(x._a, _static(pad_width)), x._d, x._w, x)


def meshgrid(*xi, indexing='xy', **kw):
    xs = [_operand(x) for x in xi]
    if [1 for x in xs if x is None]:
        return _shapecheck.unknown(_LOST)
    return [_result(r, x._d, x._w, x) for r, x in zip(np.meshgrid(*[x._a for x in xs], indexing=indexing), xs)]


def broadcast_arrays(*args):
    xs = [_operand(x) for x in args]
    if [1 for x in xs if x is None]:
        return _shapecheck.unknown(_LOST)
    shape = np.broadcast_shapes(*[x.shape for x in xs])
    return [broadcast_to(x, shape) for x in xs]


def broadcast_shapes(*shapes):
    return np.broadcast_shapes(*shapes)


def shape(a):
    return _operand(a).shape


def ndim(a):
    return _operand(a).ndim


def size(a, axis=None):
    return _operand(a).size if axis is None else _operand(a).shape[axis]


def isscalar(x):
    return isinstance(x, (int, float, complex)) or isinstance(x, Array) and x.ndim == 0


def iscomplexobj(x):
    return _core.rank_of(_operand(x)._d) == 3


def result_type(*args):
    d, w = None, True
    for a in args:
        n = _name_of(a, True) if not isinstance(a, (Array, int, float, complex)) or isinstance(a, type) else None
        if n is None:
            x = _operand(a)
            if x is None:
                return _shapecheck.unknown(_LOST)
            n, v = x._d, x._w
        else:
            n, v = _canonical(n), a in (int, float, complex)
        d, w = (n, v) if d is None else promote(d, w, n, v)
    return _core.DType(d)


promote_types = result_type


def issubdtype(arg1, arg2):
    n = _name_of(arg1, True)
    if n is None:
        return np.issubdtype(arg1, arg2)
    if n == 'bfloat16':
        n = 'float32'
    if isinstance(arg2, _core.DType):
        return arg2 == n
    return np.issubdtype(n if n in _core._BITS else np.generic, arg2)


def iinfo(d):
    return np.iinfo(_name_of(d))


def finfo(d):
    n = _name_of(d)
    return np.finfo('float32' if n == 'bfloat16' else n)


def array_equal(a, b, **kw):
    x, y = _operand(a), _operand(b)
    if x is None or y is None:
        return _shapecheck.unknown(_LOST)
    return _result(np.empty((), 'bool'), 'bool', False, x, y)


def allclose(a, b, *args, **kw):
    return array_equal(a, b)


def isclose(a, b, *args, **kw):
    return _blankly(equal(a, b))


def _blankly(x):
    return x if _shapecheck.is_unknown(x) else Array(_blank(x._a), x._d, x._w, x._t)


def searchsorted(a, v, **kw):
    x, y = _operand(a), _operand(v)
    if x is None or y is None:
        return _shapecheck.unknown(_LOST)
    return _result(np.empty(y.shape, 'int32'), _canonical('int'), False, x, y)


def percentile(a, q, axis=None, **kw):
    return globals()['median'](a, axis=axis) if isinstance(q, (int, float)) else _shapecheck.unknown('several quantiles')


quantile = percentile


def average(a, axis=None, weights=None, **kw):
    return globals()['mean'](a if weights is None else multiply(a, weights), axis=axis)


def vectorize(pyfunc, **kw):
    return _shapecheck.unknown('jnp.vectorize')


def save(file, arr, **kw):
    return None


def __getattr__(name):
    if name == 'linalg' or name == 'fft':
        return _Rest('jax.numpy.' + name)
    if name.startswith('__'):
        raise AttributeError("module 'jax.numpy' has no attribute '" + name + "'")
    return _shapecheck.unknown('jax.numpy.' + name)


class _Rest:
    """A module of which only some functions are known."""

    def __init__(self, name):
        self._name = name

    def __getattr__(self, name):
        if self._name == 'jax.numpy.linalg' and name == 'norm':
            return lambda x, ord=None, axis=None, keepdims=False: sqrt(globals()['sum'](square(x), axis=axis, keepdims=keepdims))
        return _shapecheck.unknown(self._name + '.' + name)
