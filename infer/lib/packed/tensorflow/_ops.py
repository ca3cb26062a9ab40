# The operations of TensorFlow: numpy's on the elements, with TensorFlow's dtypes, which are
# never promoted, and its exceptions.
import collections
import numpy as np
import _shapecheck
from . import errors
from ._core import (Tensor, Variable, TensorShape, TensorSpec, DType, FLOATS, INTS, COMPLEX, _Operand, bad, bad_dtype, blank, carrier, convert, current, dims_of, fits,
                    kind_of, live, name_of, state)

_range = range
_LOST = 'an operation of TensorFlow on a value that is not known'


def lost():
    return _shapecheck.unknown(_LOST)


def make(a, d):
    return Tensor(a if _shapecheck.is_unknown(a) else np.asarray(a), d)


def cast_to(a, d):
    c = carrier(d)
    return a if _shapecheck.is_unknown(a) else np.asarray(a).astype(c)


def known(*xs):
    for x in xs:
        if _shapecheck.is_unknown(x):
            return False
        if isinstance(x, (list, tuple)) and not known(*x):
            return False
    return True


def number(v):
    """A number given as one of Python or as a tensor."""
    if isinstance(v, _Operand):
        live(v)
        return int(v._a)
    return v


def sizes(shape):
    """Sizes or axes in any form as a tuple; None: they are not known."""
    if _shapecheck.is_unknown(shape):
        return None
    if shape is None:
        raise ValueError("Attempt to convert a value (None) with an unsupported type (<class 'NoneType'>) to a Tensor.")
    if isinstance(shape, TensorShape):
        if not shape.is_fully_defined():
            raise ValueError('Cannot convert a partially known TensorShape ' + str(shape) + ' to a Tensor.')
        return shape._dims
    if isinstance(shape, _Operand):
        live(shape)
        a = shape._a
        if _shapecheck.is_unknown(a):
            return None
        if a.ndim == 0:
            return (int(a),)
        n = a.shape[0]
        if _shapecheck.is_symbolic(n) or not isinstance(n, int):
            return None
        return tuple([int(a[i]) for i in _range(n)])
    if isinstance(shape, np.ndarray):
        return tuple([int(n) for n in shape.reshape(-1).tolist()])
    if isinstance(shape, (list, tuple)):
        if not known(*shape):
            return None
        if [1 for n in shape if n is None]:
            raise (TypeError if current() else ValueError)('Failed to convert elements of ' + str(shape) + ' to Tensor. Consider casting elements to a supported type.')
        return tuple([int(n) if isinstance(n, np.generic) else number(n) for n in shape])
    return (number(shape),)


def axes(axis):
    if isinstance(axis, _Operand):
        s = sizes(axis)
        return s[0] if s is not None and axis._a.ndim == 0 else s
    if isinstance(axis, (list, tuple)):
        return tuple([number(a) for a in axis])
    return axis


def _text(a):
    return '[' + ','.join([str(n) for n in a.shape]) + ']'


def pair(name, x, y):
    """Two operands of one dtype, as functions take them; None: not known."""
    if not isinstance(x, _Operand) and isinstance(y, _Operand) and name != 'add':
        y = convert(y)
        x = None if y is None else convert(x, None, y._d)
    else:
        x = convert(x)
        y = None if x is None else convert(y, None, x._d)
    if x is None or y is None:
        return None, None
    if x._d != y._d:
        bad_dtype('cannot compute ' + name + ' as input #1(zero-based) was expected to be a ' + x._d + ' tensor but is a ' + y._d + ' tensor')
    return x, y


def apply(name, f, x, y, d):
    if _shapecheck.is_unknown(x._a) or _shapecheck.is_unknown(y._a):
        return make(_shapecheck.unknown(_LOST), d)
    if x._d == 'string':
        a, b = np.empty(x._a.shape, 'uint8'), np.empty(y._a.shape, 'uint8')
        f = np.add
    else:
        a, b = x._a, y._a
    try:
        r = f(a, b)
    except ValueError:
        bad('Incompatible shapes: ' + _text(x._a) + ' vs. ' + _text(y._a) + ' in ' + name)
    return make(cast_to(r, d), d)


def _numeric(name, f, kinds, result=None):
    def op(x, y, name_=None, **kw):
        a, b = pair(name, x, y)
        if a is None:
            return lost()
        _allowed(name, a._d, kinds)
        return apply(name, f, a, b, result or a._d)
    op.__name__ = op.__qualname__ = name
    return op


def _allowed(name, d, kinds):
    if d not in kinds:
        bad_dtype('Value for attr \'T\' of ' + d + ' is not in the list of allowed values of ' + name + ': ' + ', '.join(kinds))


_NUMBERS = FLOATS + INTS + COMPLEX
_REAL = FLOATS + INTS
_ALL = _NUMBERS + ('bool', 'string')
_FLOATING = FLOATS + COMPLEX

add = _numeric('add', np.add, _NUMBERS + ('string',))
subtract = _numeric('subtract', np.subtract, _NUMBERS)
multiply = _numeric('multiply', np.multiply, _NUMBERS)
maximum = _numeric('maximum', np.maximum, _REAL)
minimum = _numeric('minimum', np.minimum, _REAL)
pow = _numeric('pow', lambda a, b: np.multiply(a, b), _NUMBERS)
floordiv = _numeric('floordiv', lambda a, b: np.multiply(a, b), _REAL)
floormod = _numeric('floormod', lambda a, b: np.multiply(a, b), _REAL)
squared_difference = _numeric('squared_difference', np.subtract, _NUMBERS)
divide_no_nan = _numeric('divide_no_nan', np.multiply, _FLOATING)
multiply_no_nan = _numeric('multiply_no_nan', np.multiply, _FLOATING)
atan2 = _numeric('atan2', np.multiply, FLOATS)
less, less_equal = _numeric('less', np.less, _REAL, 'bool'), _numeric('less_equal', np.less_equal, _REAL, 'bool')
greater, greater_equal = _numeric('greater', np.greater, _REAL, 'bool'), _numeric('greater_equal', np.greater_equal, _REAL, 'bool')
equal, not_equal = _numeric('equal', np.equal, _ALL, 'bool'), _numeric('not_equal', np.not_equal, _ALL, 'bool')
logical_and, logical_or = _numeric('logical_and', np.logical_and, ('bool',)), _numeric('logical_or', np.logical_or, ('bool',))
logical_xor = _numeric('logical_xor', np.logical_xor, ('bool',))
mod = floormod


def truediv(x, y, name=None):
    a, b = pair('truediv', x, y)
    if a is None:
        return lost()
    d = a._d
    if d in INTS:
        d = 'float32' if d in ('int8', 'int16', 'uint8', 'uint16') else 'float64'
    elif d in ('bool', 'string'):
        raise TypeError('`x` and `y` must have the same dtype that can be divided, got ' + d)
    return apply('truediv', np.multiply, a, b, d)


divide = truediv

_OPERATORS = {'add': add, 'subtract': subtract, 'multiply': multiply, 'truediv': truediv, 'floordiv': floordiv, 'floormod': floormod, 'pow': pow,
              'logical_and': logical_and, 'logical_or': logical_or, 'logical_xor': logical_xor, 'equal': equal, 'not_equal': not_equal, 'less': less,
              'less_equal': less_equal, 'greater': greater, 'greater_equal': greater_equal}


def operator(name, x, y):
    """x op y where x is a tensor: y takes its dtype where it is no tensor."""
    if _shapecheck.is_unknown(y):
        return y
    if name in ('equal', 'not_equal'):
        if y is None:
            return make(np.asarray(name == 'not_equal'), 'bool') if current() else name == 'not_equal'
        if not isinstance(y, (_Operand, np.ndarray, np.generic, list, tuple)) and kind_of(y) is None:
            return name == 'not_equal'
    elif not isinstance(y, (_Operand, np.ndarray, np.generic, list, tuple, TensorShape)) and kind_of(y) is None:
        return NotImplemented
    x = convert(x)
    b = convert(y, None, x._d)
    if b is None:
        return lost()
    if name in ('equal', 'not_equal'):
        if x._d != b._d and isinstance(y, str):
            raise TypeError("Cannot convert '" + y + "' to EagerTensor of dtype " + x._d)
        try:
            if not _shapecheck.is_unknown(x._a) and not _shapecheck.is_unknown(b._a):
                np.broadcast_shapes(tuple(x._a.shape), tuple(b._a.shape))
        except ValueError:
            return make(np.asarray(name == 'not_equal'), 'bool')
    if name == 'logical_and' and x._d in INTS:
        return apply(name, np.bitwise_and, x, b, x._d)
    if name == 'logical_or' and x._d in INTS:
        return apply(name, np.bitwise_or, x, b, x._d)
    if name == 'logical_xor' and x._d in INTS:
        return apply(name, np.bitwise_xor, x, b, x._d)
    return _OPERATORS[name](x, b)


def reflected(name, y, x):
    """y op x where x alone is a tensor."""
    if _shapecheck.is_unknown(y):
        return y
    if not isinstance(y, (np.ndarray, np.generic, list, tuple)) and kind_of(y) is None:
        return NotImplemented
    x = convert(x)
    y = convert(y, x._d)
    return lost() if y is None else _OPERATORS[name](y, x)


def _unary(name, kinds, result=None):
    f = getattr(np, name, None)
    if _shapecheck.is_unknown(f):  # numpy has none: the elements are not known
        f = None

    def op(x, *args, **kw):
        x = convert(x)
        if x is None:
            return lost()
        _allowed(name, x._d, kinds)
        d = result or x._d
        if _shapecheck.is_unknown(x._a):
            return make(x._a, d)
        if f is None or x._d in COMPLEX:
            return make(np.empty(x._a.shape, carrier(d)), d)
        return make(cast_to(f(x._a), d), d)
    op.__name__ = op.__qualname__ = name
    return op


for _n in ('exp', 'log', 'sqrt', 'sin', 'cos', 'tan', 'tanh', 'sinh', 'cosh', 'asin', 'acos', 'atan', 'asinh', 'acosh', 'atanh', 'log1p', 'expm1', 'rsqrt', 'sigmoid', 'reciprocal',
           'erf', 'erfc', 'lgamma', 'digamma', 'softplus', 'softsign', 'elu', 'selu', 'gelu', 'swish', 'log_sigmoid'):
    globals()[_n] = _unary(_n, _FLOATING)
for _n in ('negative', 'square', 'sign'):
    globals()[_n] = _unary(_n, _NUMBERS)
for _n in ('floor', 'ceil', 'rint'):
    globals()[_n] = _unary(_n, FLOATS)
round = _unary('round', _REAL)
for _n in ('isnan', 'isinf', 'isfinite'):
    globals()[_n] = _unary({'isnan': 'isnan'}.get(_n, _n), FLOATS, 'bool')
is_nan, is_inf, is_finite = globals()['isnan'], globals()['isinf'], globals()['isfinite']
logical_not = _unary('logical_not', ('bool',))
invert = _unary('invert', INTS)
relu = _unary('relu', _REAL)
relu6 = leaky_relu = relu
silu = globals()['swish']
conj = _unary('conj', _NUMBERS)


def abs(x, name=None):
    x = convert(x)
    if x is None:
        return lost()
    d = {'complex64': 'float32', 'complex128': 'float64'}.get(x._d, x._d)
    return make(x._a if _shapecheck.is_unknown(x._a) else cast_to(np.abs(x._a), d), d)


def stop_gradient(input, name=None):
    return identity(input)


def identity(input, name=None):
    if isinstance(input, (list, tuple)):
        x = convert(input)
        return lost() if x is None else x
    x = convert(input)
    return lost() if x is None else Tensor(x._a, x._d)


def ensure_shape(x, shape, name=None):
    x = convert(x)
    if x is None:
        return lost()
    y = Tensor(x._a, x._d)
    y.set_shape(shape)
    return y


def constant(value, dtype=None, shape=None, name='Const'):
    x = convert(value, name_of(dtype) if not isinstance(value, _Operand) else None)
    if x is None or dtype is not None and name_of(dtype) is None:
        return lost()
    if dtype is not None and x._d != name_of(dtype):
        x = cast(x, dtype)
    if shape is not None:
        s = sizes(shape)
        if s is None:
            return lost()
        if x._a.ndim == 0:
            return make(np.full(s, x._a, carrier(x._d)), x._d)
        return reshape(x, s)
    return Tensor(x._a, x._d)


def convert_to_tensor(value, dtype=None, dtype_hint=None, name=None):
    x = convert(value, name_of(dtype), name_of(dtype_hint))
    return lost() if x is None else x


def cast(x, dtype, name=None):
    d = name_of(dtype)
    x = convert(x)
    if x is None or d is None:
        return lost()
    if x._d == d:
        return x
    if 'string' in (d, x._d):
        raise errors.UnimplementedError(None, None, 'Cast ' + x._d + ' to ' + d + ' is not supported')
    return make(cast_to(x._a, d), d)


def saturate_cast(value, dtype, name=None):
    return cast(value, dtype)


def _filled(f):
    def op(shape, dtype='float32', name=None, **kw):
        s, d = sizes(shape), name_of(dtype)
        if d is None:
            return lost()
        return make(_shapecheck.unknown(_LOST) if s is None else f(s, carrier(d)), d)
    return op


zeros, ones = _filled(np.zeros), _filled(np.ones)


def fill(dims, value, name=None, **kw):
    s, v = sizes(dims), convert(value)
    if v is None:
        return lost()
    return make(_shapecheck.unknown(_LOST) if s is None else np.full(s, v._a, carrier(v._d)), v._d)


def _alike(f):
    def op(input, dtype=None, name=None, **kw):
        x = convert(input)
        if x is None:
            return lost()
        d = name_of(dtype) or x._d
        return make(x._a if _shapecheck.is_unknown(x._a) else f(x._a.shape, carrier(d)), d)
    return op


zeros_like, ones_like = _alike(np.zeros), _alike(np.ones)


def eye(num_rows, num_columns=None, batch_shape=None, dtype='float32', name=None):
    n = number(num_rows)
    m = n if num_columns is None else number(num_columns)
    d = name_of(dtype)
    if not known(n, m) or d is None:
        return lost()
    if batch_shape is not None:
        s = sizes(batch_shape)
        return lost() if s is None else make(np.empty(s + (n, m), carrier(d)), d)
    return make(np.eye(n, m).astype(carrier(d)), d)


def range(start, limit=None, delta=1, dtype=None, name=None):
    if limit is None:
        start, limit = 0, start
    parts = [convert(v) for v in (start, limit, delta)]
    if [1 for p in parts if p is None]:
        return lost()
    d = name_of(dtype)
    if d is None:
        order = ['int32', 'int64', 'float16', 'bfloat16', 'float32', 'float64']
        d = 'int32'
        for p in parts:
            if p._d in order and order.index(p._d) > order.index(d):
                d = p._d
    if [1 for p in parts if _shapecheck.is_unknown(p._a)]:
        return make(lost(), d)
    get = (lambda p: float(p._a)) if d in FLOATS else (lambda p: int(p._a))
    a, b, c = [get(p) for p in parts]
    if [1 for v in (a, b, c) if _shapecheck.is_unknown(v) or not _shapecheck.certain((v,))]:
        if d in FLOATS or _shapecheck.is_unknown(b) or not (a == 0 and c == 1):
            return make(np.empty((_shapecheck.new_size(0),), carrier(d)), d)
    if current() and [1 for p in parts if p._t and not _shapecheck.certain((get(p),))]:
        return make(np.empty((_shapecheck.new_size(0),), carrier(d)), d)
    return make(np.arange(a, b, c).astype(carrier(d)), d)


def linspace(start, stop, num, name=None, axis=0):
    a, n = convert(start), number(num)
    if a is None or not known(n):
        return lost()
    d = a._d if a._d in FLOATS else 'float64'
    return make(np.empty((n,) + tuple(a._a.shape), carrier(d)), d)


def shape(input, out_type='int32', name=None):
    x = convert(input)
    if x is None:
        return lost()
    d = name_of(out_type)
    if _shapecheck.is_unknown(x._a):
        return make(x._a, d)
    return make(np.asarray(list(x._a.shape), carrier(d)) if x._a.ndim else np.zeros((0,), carrier(d)), d)


def shape_n(input, out_type='int32', name=None):
    return [shape(x, out_type) for x in input]


def size(input, out_type='int32', name=None):
    x = convert(input)
    if x is None:
        return lost()
    return make(x._a if _shapecheck.is_unknown(x._a) else np.asarray(x._a.size, carrier(name_of(out_type))), name_of(out_type))


def rank(input, name=None):
    x = convert(input)
    if x is None:
        return lost()
    return make(x._a if _shapecheck.is_unknown(x._a) else np.asarray(x._a.ndim, 'int32'), 'int32')


def reshape(tensor, shape, name=None):
    if isinstance(shape, int) and current():
        bad('Shape must be rank 1 but is rank 0')
    x, s = convert(tensor), sizes(shape)
    if x is None:
        return lost()
    if s is None or _shapecheck.is_unknown(x._a):
        return make(_shapecheck.unknown(_LOST), x._d)
    try:
        return make(np.reshape(x._a, s), x._d)
    except ValueError:
        bad('Input to reshape is a tensor with ' + str(x._a.size) + ' values, but the requested shape is ' + str(list(s)))


def _moves(x, f, what):
    """An operation of one tensor that keeps its dtype."""
    x = convert(x)
    if x is None:
        return lost()
    if _shapecheck.is_unknown(x._a):
        return make(x._a, x._d)
    try:
        return make(f(x._a), x._d)
    except (ValueError, IndexError) as e:
        bad(what + ': ' + str(e))


def transpose(a, perm=None, conjugate=False, name=None):
    p = None if perm is None else sizes(perm)
    if perm is not None and p is None:
        return lost()
    return _moves(a, lambda v: np.transpose(v, p), 'transpose')


def expand_dims(input, axis, name=None):
    axis = axes(axis)
    if not known(axis):
        return lost()
    return _moves(input, lambda v: np.expand_dims(v, axis), 'expand_dims')


def squeeze(input, axis=None, name=None):
    axis = axes(axis)
    if not known(axis):
        return lost()
    x = convert(input)
    if axis is None and x is not None and not _shapecheck.is_unknown(x._a) and [1 for n in x._a.shape if _shapecheck.is_symbolic(n)]:
        return make(_shapecheck.unknown('which axes squeeze takes away'), x._d)
    if axis == () or axis == []:
        axis = None
    return _moves(input, lambda v: np.squeeze(v, axis), 'squeeze')


def broadcast_to(input, shape, name=None):
    s = sizes(shape)
    if s is None:
        return lost()
    return _moves(input, lambda v: np.broadcast_to(v, s), 'broadcast_to')


def tile(input, multiples, name=None):
    s = sizes(multiples)
    x = convert(input)
    if s is None or x is None:
        return lost()
    if not _shapecheck.is_unknown(x._a) and len(s) != x._a.ndim:
        bad('Expected multiples argument to be a vector of length ' + str(x._a.ndim) + ' but got length ' + str(len(s)))
    return _moves(x, lambda v: np.tile(v, s), 'tile')


def repeat(input, repeats, axis=None, name=None):
    r = convert(repeats)
    if r is None or _shapecheck.is_unknown(r._a):
        return lost()
    if r._a.ndim == 0:
        return _moves(input, lambda v: np.repeat(v, int(r._a), axis), 'repeat')
    return lost()


def reverse(tensor, axis, name=None):
    return _moves(tensor, lambda v: v, 'reverse')


def roll(input, shift, axis, name=None):
    return _moves(input, blank, 'roll')


def sort(values, axis=-1, direction='ASCENDING', name=None):
    return _moves(values, blank, 'sort')


def argsort(values, axis=-1, direction='ASCENDING', stable=False, name=None):
    x = convert(values)
    return lost() if x is None else make(x._a if _shapecheck.is_unknown(x._a) else np.empty(x._a.shape, 'int32'), 'int32')


def cumsum(x, axis=0, exclusive=False, reverse=False, name=None):
    return _moves(x, lambda v: blank(v), 'cumsum')


cumprod = cumsum


def clip_by_value(t, clip_value_min, clip_value_max, name=None):
    return minimum(maximum(t, clip_value_min), clip_value_max)


def clip_by_norm(t, clip_norm, axes=None, name=None):
    return _moves(t, blank, 'clip_by_norm')


def clip_by_global_norm(t_list, clip_norm, use_norm=None, name=None):
    return [None if t is None else clip_by_norm(t, clip_norm) for t in t_list], make(np.empty((), 'float32'), 'float32')


def global_norm(t_list, name=None):
    return make(np.empty((), 'float32'), 'float32')


def pad(tensor, paddings, mode='CONSTANT', constant_values=0, name=None):
    x, p = convert(tensor), paddings
    if x is None or not known(p):
        return lost()
    if isinstance(p, _Operand):
        if _shapecheck.is_unknown(p._a) or _shapecheck.is_symbolic(p._a.shape[0]):
            return make(_shapecheck.unknown(_LOST), x._d)
        p = [[int(p._a[i, 0]), int(p._a[i, 1])] for i in _range(p._a.shape[0])]
    if _shapecheck.is_unknown(x._a):
        return make(x._a, x._d)
    p = [[number(v) for v in q] for q in p]
    if len(p) != x._a.ndim:
        bad('The first dimension of paddings must be the rank of inputs')
    return make(np.empty(tuple([n + q[0] + q[1] for n, q in zip(x._a.shape, p)]), carrier(x._d)), x._d)


def _reduction(name, kinds, result=None):
    f = getattr(np, {'reduce_sum': 'sum', 'reduce_prod': 'prod', 'reduce_mean': 'sum', 'reduce_max': 'max', 'reduce_min': 'min', 'reduce_all': 'all', 'reduce_any': 'any',
                     'reduce_std': 'sum', 'reduce_variance': 'sum', 'reduce_logsumexp': 'sum', 'reduce_euclidean_norm': 'sum'}[name])

    def op(input_tensor, axis=None, keepdims=False, name_=None, **kw):
        x = convert(input_tensor)
        axis = axes(axis)
        if x is None or not known(axis):
            return lost()
        _allowed(name, x._d, kinds)
        if _shapecheck.is_unknown(x._a):
            return make(x._a if axis is not None or keepdims else np.empty((), carrier(x._d)), x._d)
        if isinstance(axis, list):
            axis = tuple(axis)
        try:
            a = blank(np.asarray(f(x._a, axis=axis, keepdims=keepdims))) if name not in ('reduce_sum', 'reduce_max', 'reduce_min', 'reduce_all', 'reduce_any', 'reduce_prod') or x._a.size == 0 else f(x._a, axis=axis, keepdims=keepdims)
        except ValueError as e:
            if isinstance(axis, int) and not -x._a.ndim <= axis < x._a.ndim:
                bad('Invalid reduction dimension (' + str(axis) + ' for input with ' + str(x._a.ndim) + ' dimension(s)')
            a = blank(np.asarray(np.sum(x._a, axis=axis, keepdims=keepdims)))
        return make(cast_to(a, x._d), x._d)
    op.__name__ = op.__qualname__ = name
    return op


for _n in ('reduce_sum', 'reduce_prod', 'reduce_mean'):
    globals()[_n] = _reduction(_n, _NUMBERS)
for _n in ('reduce_max', 'reduce_min'):
    globals()[_n] = _reduction(_n, _REAL)
for _n in ('reduce_std', 'reduce_variance', 'reduce_logsumexp', 'reduce_euclidean_norm'):
    globals()[_n] = _reduction(_n, _FLOATING)
for _n in ('reduce_all', 'reduce_any'):
    globals()[_n] = _reduction(_n, ('bool',))


def count_nonzero(input, axis=None, keepdims=None, dtype='int64', name=None):
    x = convert(input)
    return lost() if x is None else globals()['reduce_sum'](cast(Tensor(blank(x._a), x._d), dtype), axis, bool(keepdims))


def _argument(f):
    def op(input, axis=None, output_type='int64', name=None):
        x = convert(input)
        axis = axes(axis)
        if x is None or not known(axis):
            return lost()
        d = name_of(output_type)
        if _shapecheck.is_unknown(x._a):
            return make(x._a, d)
        try:
            return make(cast_to(f(x._a, axis=0 if axis is None else axis), d), d)
        except ValueError as e:
            bad(str(e))
    return op


argmax, argmin = _argument(np.argmax), _argument(np.argmin)


def _same_dtypes(parts, name):
    for p in parts:
        if p._d != parts[0]._d:
            bad_dtype('cannot compute ' + name + ' as input #1(zero-based) was expected to be a ' + parts[0]._d + ' tensor but is a ' + p._d + ' tensor')


def _parts(values):
    """The tensors of a list; None: not known."""
    if not known(values):
        return None
    if isinstance(values, _Operand):
        return None if _shapecheck.is_symbolic(values._a.shape[0]) else [values[i] for i in _range(values._a.shape[0])]
    first = None
    for v in values:
        if isinstance(v, (_Operand, np.ndarray)):
            first = convert(v)
            break
    parts = [convert(v, None, None if first is None else first._d) for v in values]
    return None if [1 for p in parts if p is None] else parts


def concat(values, axis, name='concat'):
    axis = axes(axis)
    if not isinstance(values, (list, tuple)):
        values = [values] if isinstance(values, _Operand) else values
    parts = _parts(values)
    if parts is None or not known(axis):
        return lost()
    _same_dtypes(parts, 'concat')
    if [1 for p in parts if _shapecheck.is_unknown(p._a)]:
        return make(_shapecheck.unknown(_LOST), parts[0]._d)
    try:
        return make(np.concatenate([p._a for p in parts], axis=axis), parts[0]._d)
    except ValueError as e:
        bad('ConcatOp: ' + str(e))


def stack(values, axis=0, name='stack'):
    parts = _parts(values)
    if parts is None or not known(axis):
        return lost()
    _same_dtypes(parts, 'stack')
    if [1 for p in parts if _shapecheck.is_unknown(p._a)]:
        return make(_shapecheck.unknown(_LOST), parts[0]._d)
    try:
        return make(np.stack([p._a for p in parts], axis=axis), parts[0]._d)
    except ValueError as e:
        bad('Shapes of all inputs must match: ' + str(e))


def unstack(value, num=None, axis=0, name='unstack'):
    x = convert(value)
    if x is None or _shapecheck.is_unknown(x._a):
        return lost()
    n = num
    if n is None:
        n = x._a.shape[axis]
        if _shapecheck.is_symbolic(n) and x._t and x._t not in state.symbolic:
            raise ValueError('Cannot infer argument `num` from shape ' + str(x.shape))
    return [make(np.take(x._a, i, axis), x._d) for i in _range(n)]


def split(value, num_or_size_splits, axis=0, num=None, name='split'):
    x = convert(value)
    if x is None or _shapecheck.is_unknown(x._a) or not known(num_or_size_splits):
        return lost()
    axis = axes(axis)
    n = num_or_size_splits
    if isinstance(n, _Operand):
        n = int(n._a) if n._a.ndim == 0 else list(sizes(n))
    if isinstance(n, int):
        try:
            return [make(p, x._d) for p in np.split(x._a, n, axis)]
        except ValueError:
            bad('Number of ways to split should evenly divide the split dimension')
    total = x._a.shape[axis]
    n = [number(v) for v in n]
    rest = [i for i, v in enumerate(n) if v == -1]
    if rest:
        n[rest[0]] = total - (sum(n) + 1)
    s = tuple(x._a.shape)
    k = axis + len(s) if axis < 0 else axis
    return [make(np.empty(s[:k] + (v,) + s[k + 1:], carrier(x._d)), x._d) for v in n]


def add_n(inputs, name=None):
    if isinstance(inputs, _Operand):
        return identity(inputs)
    parts = _parts(inputs)
    if parts is None:
        return lost()
    if not parts:
        raise ValueError('Inputs must be an iterable of at least one Tensor/IndexedSlices with the same dtype and shape.')
    _same_dtypes(parts, 'add_n')
    r = parts[0]
    for p in parts[1:]:
        if not _shapecheck.is_unknown(r._a) and not _shapecheck.is_unknown(p._a) and r._a.ndim != p._a.ndim:
            bad('Inputs to operation AddN must have the same size and shape.')
        r = add(r, p)
    return Tensor(r._a, r._d)


accumulate_n = add_n


def matmul(a, b, transpose_a=False, transpose_b=False, adjoint_a=False, adjoint_b=False, *args, **kw):
    x, y = pair('matmul', a, b)
    if x is None:
        return lost()
    d = name_of(kw.get('output_type')) or x._d
    if _shapecheck.is_unknown(x._a) or _shapecheck.is_unknown(y._a):
        return make(_shapecheck.unknown(_LOST), d)
    if x._a.ndim < 2 or y._a.ndim < 2:
        bad('In[' + ('0' if x._a.ndim < 2 else '1') + '] ndims must be >= 2')
    p = np.swapaxes(x._a, -1, -2) if transpose_a or adjoint_a else x._a
    q = np.swapaxes(y._a, -1, -2) if transpose_b or adjoint_b else y._a
    try:
        return make(cast_to(np.matmul(p, q), d), d)
    except ValueError:
        bad('Matrix size-incompatible: In[0]: ' + _text(p) + ', In[1]: ' + _text(q))


def matvec(a, b, transpose_a=False, **kw):
    return squeeze(matmul(a, expand_dims(b, -1), transpose_a), -1)


def tensordot(a, b, axes, name=None):
    x, y = pair('tensordot', a, b)
    if x is None or not known(axes):
        return lost()
    try:
        return make(np.tensordot(x._a, y._a, axes if isinstance(axes, int) else [list(v) if isinstance(v, (list, tuple)) else v for v in axes]), x._d)
    except ValueError:
        bad('Matrix size-incompatible in tensordot: ' + _text(x._a) + ', ' + _text(y._a))


def einsum(equation, *inputs, **kw):
    parts = [convert(v) for v in inputs]
    if [1 for p in parts if p is None or _shapecheck.is_unknown(p._a)] or not known(equation):
        return lost()
    _same_dtypes(parts, 'einsum')
    try:
        return make(np.einsum(equation, *[p._a for p in parts]), parts[0]._d)
    except ValueError as e:
        bad(str(e))


def where(condition, x=None, y=None, name=None):
    c = convert(condition)
    if c is None:
        return lost()
    if x is None and y is None:
        if _shapecheck.is_unknown(c._a):
            return make(c._a, 'int64')
        return make(np.empty((_shapecheck.new_size(0), c._a.ndim), 'int64'), 'int64')
    p, q = pair('where', x, y)
    if p is None:
        return lost()
    if c._d != 'bool':
        bad_dtype('cannot compute SelectV2 as input #0(zero-based) was expected to be a bool tensor but is a ' + c._d + ' tensor')
    if [1 for v in (c, p, q) if _shapecheck.is_unknown(v._a)]:
        return make(_shapecheck.unknown(_LOST), p._d)
    try:
        return make(cast_to(np.where(c._a, p._a, q._a), p._d), p._d)
    except ValueError:
        bad('condition ' + _text(c._a) + ', then ' + _text(p._a) + ', and else ' + _text(q._a) + ' must be broadcastable')


def gather(params, indices, validate_indices=None, axis=None, batch_dims=0, name=None):
    x, i = convert(params), convert(indices)
    axis = axes(axis)
    if x is None or i is None or not known(axis, batch_dims):
        return lost()
    if i._d not in INTS:
        bad_dtype('Value for attr \'Tindices\' of ' + i._d + ' is not in the list of allowed values: int16, int32, int64')
    if _shapecheck.is_unknown(x._a) or _shapecheck.is_unknown(i._a):
        return make(_shapecheck.unknown(_LOST), x._d)
    k = batch_dims if axis is None else axis
    s, t = tuple(x._a.shape), tuple(i._a.shape)
    if k < 0:
        k += len(s)
    if batch_dims < 0:
        batch_dims += len(t)
    if not 0 <= k < len(s):
        bad('Shape must be at least rank ' + str(k + 1) + ' but is rank ' + str(len(s)))
    return make(np.empty(s[:k] + t[batch_dims:] + s[k + 1:], carrier(x._d)), x._d)


def gather_nd(params, indices, batch_dims=0, name=None):
    x, i = convert(params), convert(indices)
    if x is None or i is None or _shapecheck.is_unknown(x._a) or _shapecheck.is_unknown(i._a):
        return lost()
    n = i._a.shape[-1]
    if _shapecheck.is_symbolic(n):
        return make(_shapecheck.unknown(_LOST), x._d)
    s = tuple(x._a.shape)
    return make(np.empty(tuple(i._a.shape[:-1]) + s[batch_dims + n:], carrier(x._d)), x._d)


def boolean_mask(tensor, mask, axis=None, name='boolean_mask'):
    x, m = convert(tensor), convert(mask)
    if x is None or m is None or _shapecheck.is_unknown(x._a) or _shapecheck.is_unknown(m._a):
        return lost()
    k = 0 if axis is None else number(axis)
    s = tuple(x._a.shape)
    return make(np.empty(s[:k] + (_shapecheck.new_size(0),) + s[k + m._a.ndim:], carrier(x._d)), x._d)


def scatter_nd(indices, updates, shape, name=None):
    u, s = convert(updates), sizes(shape)
    if u is None:
        return lost()
    return make(_shapecheck.unknown(_LOST) if s is None else np.empty(s, carrier(u._d)), u._d)


def tensor_scatter_nd_update(tensor, indices, updates, name=None):
    return _moves(tensor, blank, 'tensor_scatter_nd_update')


tensor_scatter_nd_add = tensor_scatter_nd_sub = tensor_scatter_nd_max = tensor_scatter_nd_min = tensor_scatter_nd_update


def one_hot(indices, depth, on_value=None, off_value=None, axis=None, dtype=None, name=None):
    i, n = convert(indices), number(depth)
    if i is None or not known(n) or _shapecheck.is_unknown(i._a):
        return lost()
    d = name_of(dtype)
    if d is None:
        v = convert(on_value if on_value is not None else 1.0)
        if v is None:
            return lost()
        d = v._d
    s = tuple(i._a.shape)
    k = len(s) if axis is None or axis == -1 else axis
    return make(np.empty(s[:k] + (n,) + s[k:], carrier(d)), d)


def meshgrid(*args, indexing='xy', **kw):
    parts = [convert(v) for v in args]
    if [1 for p in parts if p is None or _shapecheck.is_unknown(p._a)]:
        return lost()
    return [make(a, p._d) for a, p in zip(np.meshgrid(*[p._a for p in parts], indexing=indexing), parts)]


def band_part(input, num_lower, num_upper, name=None):
    return _moves(input, blank, 'band_part')


def diag_part(input, **kw):
    return _moves(input, lambda v: np.diagonal(v, axis1=-2, axis2=-1), 'diag_part')


def diag(diagonal, **kw):
    return _moves(diagonal, lambda v: np.empty(tuple(v.shape) + (v.shape[-1],), v.dtype), 'diag')


def trace(x, name=None):
    return _moves(x, lambda v: np.trace(v, axis1=-2, axis2=-1), 'trace')


def norm(tensor, ord='euclidean', axis=None, keepdims=None, name=None):
    x = convert(tensor)
    if x is None or _shapecheck.is_unknown(x._a):
        return lost()
    axis = axes(axis)
    return make(cast_to(blank(np.asarray(np.sum(x._a, axis=tuple(axis) if isinstance(axis, list) else axis, keepdims=bool(keepdims)))), x._d), x._d)


def top_k(input, k=1, sorted=True, index_type='int32', name=None):
    x, n = convert(input), number(k)
    if x is None or not known(n) or _shapecheck.is_unknown(x._a):
        return lost()
    s = tuple(x._a.shape[:-1]) + (n,)
    return _TopK(make(np.empty(s, carrier(x._d)), x._d), make(np.empty(s, carrier(name_of(index_type))), name_of(index_type)))


_TopK = collections.namedtuple('TopKV2', 'values indices')


def unique(x, out_idx='int32', name=None):
    x = convert(x)
    if x is None or _shapecheck.is_unknown(x._a):
        return lost()
    return _Unique(make(np.empty((_shapecheck.new_size(0),), carrier(x._d)), x._d), make(np.empty(x._a.shape, carrier(name_of(out_idx))), name_of(out_idx)))


_Unique = collections.namedtuple('Unique', 'y idx')


def is_tensor(x):
    return isinstance(x, (_Operand,))


def get_static_value(tensor, partial=False):
    return _shapecheck.unknown('whether TensorFlow knows the value of a tensor')


def broadcast_static_shape(x, y):
    return TensorShape(np.broadcast_shapes(tuple(x), tuple(y)))


def getitem(x, index):
    if _shapecheck.is_unknown(index):
        return lost()
    x = convert(x)
    if _shapecheck.is_unknown(x._a):
        return make(x._a, x._d)
    parts = index if isinstance(index, tuple) else (index,)
    if isinstance(index, list):
        parts = tuple(index)
    if len(parts) == 1 and isinstance(parts[0], (_Operand, np.ndarray)) and convert(parts[0])._d == 'bool' and convert(parts[0])._a.ndim:
        return boolean_mask(x, parts[0])
    plain, open_ = [], False
    for p in parts:
        if _shapecheck.is_unknown(p):
            return lost()
        if isinstance(p, (_Operand, np.ndarray, np.generic)):
            t = convert(p)
            if _shapecheck.is_unknown(t._a) or t._a.ndim or t._d not in INTS:
                raise TypeError('Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar tf.int32/tf.int64 tensors are valid indices, got ' + str(p))
            n = int(t._a)
            plain.append(n if _shapecheck.certain((n,)) else 0)
        elif isinstance(p, slice):
            plain.append(slice(*[None if b is None else number(b) for b in (p.start, p.stop, p.step)]))
        elif p is None or p is Ellipsis or isinstance(p, int) and not isinstance(p, bool):
            plain.append(p)
        else:
            raise TypeError('Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar tf.int32/tf.int64 tensors are valid indices, got ' + repr(p))
    try:
        return make(x._a[tuple(plain)], x._d)
    except IndexError as e:
        bad('slice index ' + str(index) + ' out of bounds: ' + str(e))


def slice_(input_, begin, size, name=None):
    x, s = convert(input_), sizes(size)
    if x is None or s is None or _shapecheck.is_unknown(x._a):
        return lost()
    b = sizes(begin)
    if b is None and -1 in s:
        return lost()
    out = [n if n != -1 else m - b[i] for i, (n, m) in enumerate(zip(s, x._a.shape))]
    return make(np.empty(tuple(out), carrier(x._d)), x._d)


def softmax(logits, axis=None, name=None):
    x = convert(logits)
    if x is None:
        return lost()
    _allowed('softmax', x._d, FLOATS)
    return make(blank(x._a), x._d)


log_softmax = softmax


def string_op(x, *args, **kw):
    x = convert(x)
    return lost() if x is None else make(blank(x._a), 'string')


def as_string(input, *args, **kw):
    x = convert(input)
    return lost() if x is None else make(x._a if _shapecheck.is_unknown(x._a) else np.empty(x._a.shape, 'uint8'), 'string')


def string_length(input, *args, **kw):
    x = convert(input)
    return lost() if x is None else make(x._a if _shapecheck.is_unknown(x._a) else np.empty(x._a.shape, 'int32'), 'int32')


def moments_of(x, axes, shift=None, keepdims=False, name=None):
    m = globals()['reduce_mean'](x, axes, keepdims)
    return m, identity(m)


def l2_loss(t, name=None):
    x = convert(t)
    return lost() if x is None else make(np.empty((), carrier(x._d)), x._d)


zero_fraction = l2_loss
