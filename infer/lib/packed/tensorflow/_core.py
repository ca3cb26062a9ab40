# Tensors of TensorFlow and their dtypes. A tensor has its elements in _a (an array of numpy, of
# the dtype nearest to its own), the name of its dtype in _d, and in _t the number of the trace
# whose graph it is part of; 0: it is eager. Within a graph the sizes that TensorFlow leaves
# open are symbols.
import numpy as np
import _shapecheck
from . import errors

FLOATS = ('float16', 'bfloat16', 'float32', 'float64')
INTS = ('int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64')
COMPLEX = ('complex64', 'complex128')
_SHORT = {'float16': 'f16', 'bfloat16': 'bf16', 'float32': 'f32', 'float64': 'f64', 'int8': 'i8', 'int16': 'i16', 'int32': 'i32', 'int64': 'i64',
          'uint8': 'u8', 'uint16': 'u16', 'uint32': 'u32', 'uint64': 'u64', 'complex64': 'c64', 'complex128': 'c128', 'string': 'str'}
_SIZES = {'bool': 1, 'float16': 2, 'bfloat16': 2, 'float32': 4, 'float64': 8, 'int8': 1, 'int16': 2, 'int32': 4, 'int64': 8, 'uint8': 1, 'uint16': 2,
          'uint32': 4, 'uint64': 8, 'complex64': 8, 'complex128': 16}


class _State:
    def __init__(self):
        self.graphs = []      # the numbers of the traces that are open, innermost last; 0: eager within
        self.open = set()     # of all that are open
        self.last = 0
        self.symbolic = set() # traces of arguments whose sizes are symbols: their symbols are shown
        self.effects = []     # for each open trace, what happens at each call of it
        self.made = []        # for each open trace, what becomes of variables: see _function.py
        self.eagerly = False  # run_functions_eagerly
        self.foreign = False  # the program uses what is not known here and may make variables


state = _State()


def current():
    """The trace that operations belong to now; 0: they run."""
    return state.graphs[-1] if state.graphs else 0


class DType:
    __shapecheck_dtype__ = True

    def __init__(self, name):
        self.name = name

    base_dtype = property(lambda self: self)
    as_numpy_dtype = property(lambda self: getattr(np, carrier(self.name)))
    is_floating = property(lambda self: self.name in FLOATS)
    is_integer = property(lambda self: self.name in INTS)
    is_complex = property(lambda self: self.name in COMPLEX)
    is_bool = property(lambda self: self.name == 'bool')
    is_numeric = property(lambda self: self.name in FLOATS + INTS + COMPLEX)
    is_unsigned = property(lambda self: self.name in INTS and self.name[0] == 'u')
    size = property(lambda self: _SIZES.get(self.name, 1))
    real_dtype = property(lambda self: DType({'complex64': 'float32', 'complex128': 'float64'}.get(self.name, self.name)))
    min = property(lambda self: (np.finfo if self.name in FLOATS else np.iinfo)(carrier(self.name)).min)
    max = property(lambda self: (np.finfo if self.name in FLOATS else np.iinfo)(carrier(self.name)).max)

    def is_compatible_with(self, other):
        return name_of(other) == self.name

    def __eq__(self, other):
        if _shapecheck.is_unknown(other):
            return other
        if other is None:
            return False
        return name_of(other, True) == self.name

    def __ne__(self, other):
        r = self == other
        return r if _shapecheck.is_unknown(r) else not r

    def __hash__(self):
        return hash(self.name)

    def __repr__(self):
        return 'tf.' + self.name

    def __str__(self):
        return "<dtype: '" + self.name + "'>"


def name_of(d, quiet=False):
    """The name of a dtype given in any form; None: none is given, or it is not known."""
    if d is None or _shapecheck.is_unknown(d):
        return None
    if isinstance(d, DType):
        return d.name
    if isinstance(d, str):
        return {'float': 'float32', 'half': 'float16', 'double': 'float64', 'int': 'int32', 'str': 'string'}.get(d, d)
    for t, n in ((float, 'float32'), (int, 'int32'), (bool, 'bool'), (complex, 'complex128'), (str, 'string'), (bytes, 'string')):
        if d is t:
            return n
    try:
        n = np.dtype(d).name
        return n if isinstance(n, str) else None
    except TypeError:
        if quiet:
            return None
        raise TypeError('Cannot convert the argument `type_value`: ' + str(d) + ' to a TensorFlow DType.')


def carrier(name):
    """The dtype of numpy that stands for one of TensorFlow."""
    return name if name in _SIZES and name != 'bfloat16' else 'float32' if name == 'bfloat16' else 'uint8'


class TensorShape:
    """The sizes of a tensor; None: not known to TensorFlow. dims is None where the rank is not known."""

    def __init__(self, dims):
        if isinstance(dims, TensorShape):
            dims = dims._dims
        elif isinstance(dims, int):
            dims = (dims,)
        self._dims = None if dims is None else tuple(dims)

    @property
    def rank(self):
        return None if self._dims is None else len(self._dims)

    ndims = rank

    @property
    def dims(self):
        return None if self._dims is None else list(self._dims)

    def as_list(self):
        if self._dims is None:
            raise ValueError('as_list() is not defined on an unknown TensorShape.')
        return list(self._dims)

    def is_fully_defined(self):
        return self._dims is not None and not [1 for n in self._dims if n is None]

    def num_elements(self):
        if not self.is_fully_defined():
            return None
        n = 1
        for d in self._dims:
            n = n * d
        return n

    def concatenate(self, other):
        other = TensorShape(other)
        if self._dims is None or other._dims is None:
            return TensorShape(None)
        return TensorShape(self._dims + other._dims)

    __add__ = concatenate

    def __radd__(self, other):
        return TensorShape(other).concatenate(self)

    def merge_with(self, other):
        other = TensorShape(other)
        if self._dims is None:
            return other
        if other._dims is None:
            return self
        return TensorShape([b if a is None else a for a, b in zip(self._dims, other._dims)])

    def is_compatible_with(self, other):
        other = TensorShape(other)
        if self._dims is None or other._dims is None:
            return True
        return len(self._dims) == len(other._dims) and not [1 for a, b in zip(self._dims, other._dims) if a is not None and b is not None and a != b]

    def assert_is_compatible_with(self, other):
        if not self.is_compatible_with(other):
            raise ValueError('Shapes ' + str(self) + ' and ' + str(other) + ' are incompatible')

    def assert_has_rank(self, rank):
        if self._dims is not None and len(self._dims) != rank:
            raise ValueError('Shape ' + str(self) + ' must have rank ' + str(rank))

    def with_rank(self, rank):
        self.assert_has_rank(rank)
        return self

    def __len__(self):
        if self._dims is None:
            raise ValueError('Cannot take the length of shape with unknown rank.')
        return len(self._dims)

    def __bool__(self):
        return self._dims is not None

    def __iter__(self):
        if self._dims is None:
            raise ValueError('Cannot iterate over a shape with unknown rank.')
        return iter(self._dims)

    def __getitem__(self, key):
        if self._dims is None:
            return TensorShape(None) if isinstance(key, slice) else None
        r = self._dims[key]
        return TensorShape(r) if isinstance(key, slice) else r

    def __eq__(self, other):
        if _shapecheck.is_unknown(other):
            return other
        if isinstance(other, (TensorShape, list, tuple)) or other is None:
            return self._dims == TensorShape(other)._dims
        return NotImplemented

    def __hash__(self):
        return hash(self._dims)

    def __str__(self):
        if self._dims is None:
            return '<unknown>'
        if len(self._dims) == 1:
            return '(' + str(self._dims[0]) + ',)'
        return '(' + ', '.join([str(n) for n in self._dims]) + ')'

    def __repr__(self):
        return 'TensorShape(None)' if self._dims is None else 'TensorShape([' + ', '.join([str(n) for n in self._dims]) + '])'


def bad(message):
    """What an operation raises that cannot take its sizes."""
    if current():
        raise ValueError(message)
    raise errors.InvalidArgumentError(None, None, message)


def bad_dtype(message):
    if current():
        raise TypeError(message)
    raise errors.InvalidArgumentError(None, None, message)


def blank(a):
    """An array like a whose elements are not known."""
    return a if _shapecheck.is_unknown(a) else np.empty(a.shape, a.dtype)


def live(x):
    """A tensor of a trace that has ended cannot be used, nor one of a loop's body after it (-2: graphloops.go)."""
    if x._t == -2:
        raise errors.InaccessibleTensorError('<tf.Tensor> is out of scope and cannot be used here. Use return values, explicit Python locals or TensorFlow collections to access it.')
    if x._t and x._t not in state.open:
        _shapecheck.refuse('TypeError', 'SC533', '<tf.Tensor> is out of scope and cannot be used here. Use return values, explicit Python locals or TensorFlow collections to access it.')


class _Operand:
    """What tensors and variables have in common."""
    __shapecheck_array__ = True
    __array_priority__ = 100

    dtype = property(lambda self: DType(self._d))

    @property
    def shape(self):
        dims = dims_of(self)
        return dims if _shapecheck.is_unknown(dims) else TensorShape(dims)

    def get_shape(self):
        return self.shape

    @property
    def ndim(self):
        return self.shape.rank

    def __array__(self, dtype=None, copy=None):
        if current() or self._t:
            raise NotImplementedError('Cannot convert a symbolic tf.Tensor to a numpy array. This error may indicate that you\'re trying to pass a Tensor to a NumPy call, which is not supported.')
        return self._a

    def __bool__(self):
        live(self)
        if self._t:
            raise errors.OperatorNotAllowedInGraphError('Using a symbolic `tf.Tensor` as a Python `bool` is not allowed.')
        return bool(self._a)

    def __int__(self):
        if self._t:
            if _shapecheck.graph_mode():
                return _shapecheck.data_int('i', -9223372036854775808)
            raise TypeError("int() argument must be a string, a bytes-like object or a real number, not 'SymbolicTensor'")
        return int(self._a)

    def __float__(self):
        if self._t:
            if _shapecheck.graph_mode():
                return float(self._a)
            raise TypeError("float() argument must be a string or a real number, not 'SymbolicTensor'")
        return float(self._a)

    def __index__(self):
        if self._t:
            raise TypeError('list indices must be integers or slices, not SymbolicTensor')
        return int(self._a)

    def __shapecheck_count__(self):
        if self._t:
            if _shapecheck.graph_mode():
                return _shapecheck.data_int('n')
            raise TypeError("'SymbolicTensor' object cannot be interpreted as an integer")
        return int(self._a)

    def __len__(self):
        if self._t:
            if _shapecheck.graph_mode():
                return self._a.shape[0]
            raise TypeError('len is not well defined for a symbolic Tensor. Please call `x.shape` rather than `len(x)` for shape information.')
        if self._a.ndim == 0:
            raise TypeError('Scalar tensor has no `len()`')
        return self._a.shape[0]

    def __iter__(self):
        if self._t:
            raise errors.OperatorNotAllowedInGraphError('Iterating over a symbolic `tf.Tensor` is not allowed.')
        if self._a.ndim == 0:
            raise TypeError('Cannot iterate over a scalar tensor.')
        return iter([self[i] for i in range(self._a.shape[0])])

    def __shapecheck_not__(self):
        return _ops().logical_not(self)

    def __shapecheck_builtin__(self, name, args):
        if name == 'range':
            return _ops().range(*args)
        if len(args) > 1:
            raise TypeError(name + ' takes one tensor')
        if name == 'sorted':
            if self._a.ndim == 0:
                raise ValueError('sorted only accepts Tensors of rank 1')
            return _ops().sort(self)
        return _ops().cast(self, 'int32' if name == 'int' else 'float32')

    def __shapecheck_elements__(self):
        if self._a.ndim == 0:
            raise ValueError('Cannot iterate over a scalar tensor.')
        return _shapecheck.open_list(Tensor(np.empty(self._a.shape[1:], self._a.dtype), self._d), _shapecheck.new_size(0))

    def __contains__(self, x):
        if self._t:
            raise TypeError("argument of type 'SymbolicTensor' is not iterable")
        return _shapecheck.unknown('whether a tensor contains a value')

    def __hash__(self):
        raise TypeError('Tensor is unhashable. Instead, use tensor.ref() as the key.')

    def ref(self):
        return _Ref(self)

    def __format__(self, spec):
        return str(self)

    def __getitem__(self, index):
        return _ops().getitem(self, index)

    def __neg__(self):
        return _ops().negative(self)

    def __pos__(self):
        return self

    def __abs__(self):
        return _ops().abs(self)

    def __invert__(self):
        return _ops().logical_not(self) if self._d == 'bool' else _ops().invert(self)

    def __matmul__(self, o):
        return _ops().matmul(self, o)

    def __rmatmul__(self, o):
        return _ops().matmul(o, self)


class _Ref:
    def __init__(self, x):
        self._x = x

    def deref(self):
        return self._x

    def __eq__(self, other):
        return isinstance(other, _Ref) and self._x is other._x

    def __hash__(self):
        return id(self._x)


class Tensor(_Operand):
    def __init__(self, a, d, t=None, name=None):
        self._a = a
        self._d = d
        self._t = current() if t is None else t
        self._name = name

    device = property(lambda self: '' if self._t else '/job:localhost/replica:0/task:0/device:CPU:0')

    @property
    def name(self):
        if not self._t:
            raise AttributeError('Tensor.name is undefined when eager execution is enabled.')
        return self._name or _shapecheck.data_str()

    op = property(lambda self: _shapecheck.unknown('the operation of a tensor'))
    graph = property(lambda self: _shapecheck.unknown('the graph of a tensor'))

    def numpy(self):
        if self._t:
            raise AttributeError("'SymbolicTensor' object has no attribute 'numpy'")
        return _scalar(self._a)

    def set_shape(self, shape):
        shape = TensorShape(shape)
        if shape._dims is None or _shapecheck.is_unknown(self._a):
            return None
        old = self._a.shape
        if len(old) != len(shape._dims):
            raise ValueError('Shapes must be of equal rank')
        for a, b in zip(old, shape._dims):
            if isinstance(a, int) and not _shapecheck.is_symbolic(a) and isinstance(b, int) and not _shapecheck.is_symbolic(b) and a != b:
                raise ValueError('Dimensions ' + str(a) + ' and ' + str(b) + ' are not compatible')
        self._a = np.empty(tuple([a if b is None else b for a, b in zip(old, shape._dims)]), self._a.dtype)

    def __getattr__(self, name):
        if name in ('item', '__setitem__', '__round__') or name in _NUMPY_NAMES:
            raise AttributeError(('SymbolicTensor' if self._t else 'EagerTensor') + ' object has no attribute ' + repr(name) + '.')
        if name.startswith('__'):
            raise AttributeError(name)
        return _shapecheck.unknown('tf.Tensor.' + name)

    def __setitem__(self, index, v):
        raise TypeError("'" + ('SymbolicTensor' if self._t else 'tensorflow.python.framework.ops.EagerTensor') + "' object does not support item assignment")

    def __repr__(self):
        if self._t:
            return '<tf.Tensor ' + repr(self._name) + ' shape=' + str(self.shape) + ' dtype=' + self._d + '>' if self._name else _shapecheck.data_str()
        return _shapecheck.data_str()

    def __str__(self):
        if self._t:
            return 'Tensor("' + self._name + '", shape=' + str(self.shape) + ', dtype=' + self._d + ')' if self._name else _shapecheck.data_str()
        return _shapecheck.data_str()


_NUMPY_NAMES = ('astype', 'ravel', 'transpose', 'reshape', 'clip', 'size', 'tolist', 'data', 'T', 'sum', 'prod', 'max', 'min', 'all', 'any', 'mean', 'std', 'var', 'argmax',
                'argmin', 'argsort', 'squeeze', 'repeat', 'take', 'round', 'cumsum', 'cumprod', 'swapaxes', 'nonzero', 'flatten', 'copy', 'fill', 'sort', 'dot')


def _scalar(a):
    return a[()] if a.ndim == 0 else a


def dims_of(x):
    """The sizes of a tensor as TensorFlow shows them."""
    if isinstance(x, Variable) and x._open is not None:
        return x._open._dims
    if _shapecheck.is_unknown(x._a):
        return None if getattr(x, '_any', False) else x._a
    s = tuple(x._a.shape)
    if x._t and x._t not in state.symbolic:
        s = tuple([None if _shapecheck.is_symbolic(n) else n for n in s])
    return s


def any_rank(d, t=None):
    """A tensor whose rank TensorFlow does not know."""
    x = Tensor(_shapecheck.unknown('a tensor of any rank'), d, t)
    x._any = True
    return x


def short(x):
    """A tensor as the text of a type."""
    return short_type(x._d, dims_of(x))


def short_type(d, dims):
    if _shapecheck.is_unknown(dims):
        return '?'
    return _SHORT.get(d, d) + ('[...]' if dims is None else '[' + ','.join(['?' if n is None else str(n) for n in dims]) + ']')


def _ops():
    import tensorflow._ops
    return tensorflow._ops


def _operators():
    def make(name, left, right):
        def f(self, o):
            return _ops().operator(name, self, o)

        def g(self, o):
            return _ops().reflected(name, o, self)
        setattr(_Operand, left, f)
        if right:
            setattr(_Operand, right, g)
    for name, m in (('add', 'add'), ('subtract', 'sub'), ('multiply', 'mul'), ('truediv', 'truediv'), ('floordiv', 'floordiv'), ('floormod', 'mod'),
                    ('pow', 'pow'), ('logical_and', 'and'), ('logical_or', 'or'), ('logical_xor', 'xor')):
        make(name, '__' + m + '__', '__r' + m + '__')
    for name, m in (('equal', 'eq'), ('not_equal', 'ne'), ('less', 'lt'), ('less_equal', 'le'), ('greater', 'gt'), ('greater_equal', 'ge')):
        make(name, '__' + m + '__', None)


_operators()


def fits(kind, d):
    """Whether a number of Python of a kind can be a tensor of dtype d."""
    if kind == 'bool':
        return d == 'bool' or d in INTS or d in FLOATS
    if kind == 'int':
        return d in INTS or d in FLOATS or d in COMPLEX
    if kind == 'float':
        return d in FLOATS or d in COMPLEX
    return d == kind if kind == 'string' else d in COMPLEX


_DEFAULT = {'bool': 'bool', 'int': 'int32', 'float': 'float32', 'complex': 'complex128', 'string': 'string'}


def kind_of(x):
    """The kind of a number or text of Python; None: it is something else."""
    for t, k in ((bool, 'bool'), (int, 'int'), (float, 'float'), (complex, 'complex'), (str, 'string'), (bytes, 'string')):
        if isinstance(x, t):
            return k
    return None


def _leaves(x, out):
    if isinstance(x, (list, tuple)):
        for v in x:
            _leaves(v, out)
    else:
        out.append(x)


def loop_variable(x):
    """The tensor that AutoGraph makes of a number that a loop changes."""
    d = _DEFAULT[kind_of(x)]
    return Tensor(np.empty((), carrier(d)), d)


def convert(x, dtype=None, hint=None):
    """x as a tensor: of dtype, or of hint where that can be. None: what it is, is not known."""
    if _shapecheck.is_unknown(x):
        return None
    if isinstance(x, _Operand):
        x = x._read() if isinstance(x, Variable) else x
        live(x)
        if dtype is not None and x._d != dtype:
            raise ValueError('Tensor conversion requested dtype ' + dtype + ' for Tensor with dtype ' + x._d)
        return x
    if isinstance(x, (np.ndarray, np.generic)):
        n = x.dtype.name
        if not isinstance(n, str):
            return None
        d = dtype or hint or (n if n in _SIZES else 'string')
        return Tensor(np.asarray(x).astype(carrier(d)) if n in _SIZES else np.empty(x.shape, carrier(d)), d)
    k = kind_of(x)
    if k is not None:
        if dtype is not None and not fits(k, dtype):
            raise TypeError('Cannot convert ' + repr(x) + ' to EagerTensor of dtype ' + dtype)
        d = dtype or (hint if hint is not None and fits(k, hint) else _DEFAULT[k])
        return Tensor(np.asarray(x, carrier(d)) if k != 'string' else np.empty((), carrier(d)), d)
    if isinstance(x, TensorShape):
        if not x.is_fully_defined():
            raise ValueError('Cannot convert a partially known TensorShape ' + str(x) + ' to a Tensor.')
        return Tensor(np.asarray(list(x._dims), carrier(dtype or 'int32')), dtype or 'int32')
    if isinstance(x, range):
        x = list(x)
    if isinstance(x, (list, tuple)):
        return _packed(x, dtype, hint)
    if x is None or isinstance(x, (dict, set)):
        raise ValueError('Attempt to convert a value (' + str(x) + ') with an unsupported type (' + str(type(x)) + ') to a Tensor.')
    return None


def _packed(x, dtype, hint):
    flat = []
    _leaves(x, flat)
    if [1 for v in flat if _shapecheck.is_unknown(v)]:
        return None
    tensors = [v for v in flat if isinstance(v, _Operand)]
    if tensors:
        d = dtype or tensors[0]._d
        parts = [convert(v, None if isinstance(v, _Operand) else d, d) for v in x]
        if [1 for p in parts if p is None]:
            return None
        for p in parts:
            if p._d != d:
                raise bad_dtype_of_list(d, p._d)
        return _ops().stack(parts)
    arrays = [v for v in flat if isinstance(v, (np.ndarray, np.generic))]
    if arrays:
        d = dtype or hint or np.asarray(x).dtype.name
        return Tensor(np.asarray(x).astype(carrier(d)), d) if isinstance(d, str) else None
    kinds = []
    for v in flat:
        if v is None:
            raise ValueError('Attempt to convert a value (None) with an unsupported type (<class \'NoneType\'>) to a Tensor.')
        k = kind_of(v)
        if k is None:
            return None
        if k not in kinds:
            kinds.append(k)
    if len(kinds) > 1 and ('string' in kinds or 'bool' in kinds and 'int' not in kinds):
        raise (TypeError if current() else ValueError)("Can't convert Python sequence with mixed types to Tensor.")
    k = 'complex' if 'complex' in kinds else 'float' if 'float' in kinds or not kinds else kinds[0] if len(kinds) < 2 else 'int'
    if dtype is not None and kinds and not fits(k, dtype):
        raise TypeError('Cannot convert ' + str(x) + ' to EagerTensor of dtype ' + dtype)
    d = dtype or (hint if hint is not None and fits(k, hint) else _DEFAULT[k])
    if k == 'string':
        return Tensor(np.empty(_nested_shape(x), carrier(d)), d)
    try:
        return Tensor(np.asarray(x).astype(carrier(d)), d)
    except ValueError:
        raise ValueError("Can't convert non-rectangular Python sequence to Tensor.")


def bad_dtype_of_list(a, b):
    return TypeError('Cannot convert a list containing a tensor of dtype ' + b + ' to ' + a + ' (Tensor is of type ' + b + ')')


def _nested_shape(x):
    if not isinstance(x, (list, tuple)):
        return ()
    return (len(x),) + (_nested_shape(x[0]) if len(x) else ())




class Variable(_Operand):
    def __init__(self, initial_value=None, trainable=True, validate_shape=True, caching_device=None, name=None, variable_def=None, dtype=None, import_scope=None,
                 constraint=None, synchronization=None, aggregation=None, shape=None, **kw):
        if state.made and current():
            state.made[-1](self)
        if callable(initial_value) and not isinstance(initial_value, _Operand):
            initial_value = initial_value()
        if initial_value is None:
            raise ValueError('initial_value must be specified.')
        v = convert(initial_value, None, name_of(dtype))
        if v is not None and dtype is not None and v._d != name_of(dtype):
            v = convert(initial_value, name_of(dtype))
        if v is None:
            self._a, self._d = _shapecheck.unknown('the initial value of a variable'), name_of(dtype) or 'float32'
            self._lost = dtype is None
        else:
            self._a, self._d, self._lost = (blank(v._a) if current() else v._a), v._d, False
        self._t = 0
        self._open = None  # the shape, where it leaves sizes open
        if shape is not None and not TensorShape(shape).is_fully_defined():
            self._open = TensorShape(shape)
        self.trainable = trainable if trainable is not None else True
        self.constraint = constraint
        self._label = name or 'Variable'

    name = property(lambda self: self._label + ':0')

    def _read(self):
        live(self)
        if self._lost:
            return Tensor(self._a, self._d)
        if current():
            if self._open is not None:
                if self._open._dims is None:
                    return any_rank(self._d, current())
                return Tensor(np.empty(tuple([_shapecheck.new_size(0) if n is None else n for n in self._open._dims]), carrier(self._d)), self._d, current())
            return Tensor(blank(self._a), self._d)
        return Tensor(self._a, self._d)

    def value(self):
        return self._read()

    read_value = value

    def numpy(self):
        if current():
            raise NotImplementedError('numpy() is only available when eager execution is enabled.')
        return _scalar(self._a)

    def _written(self, v):
        v = convert(v, None, self._d)
        if v is None:
            self._a = blank(self._a)
            return self
        if v._d != self._d:
            raise ValueError('Tensor conversion requested dtype ' + self._d + ' for Tensor with dtype ' + v._d)
        new = v._a
        if not _shapecheck.is_unknown(new) and not _shapecheck.is_unknown(self._a):
            p, q = dims_of(self), tuple(new.shape)
            if p is not None and len(p) != len(q) or p is not None and [1 for a, b in zip(p, q) if not _shapecheck.is_symbolic(a) and not _shapecheck.is_symbolic(b) and a is not None and a != b]:
                raise ValueError('Cannot assign value to variable \' ' + self.name + '\': Shape mismatch.The variable shape ' + str(p) + ', and the assigned value shape ' + str(q) + ' are incompatible.')
        self._wrote(new)
        return self

    def _wrote(self, new=None):
        """Notes that the variable was assigned: in a graph at each call of it."""
        if current():
            self._a = blank(self._a)
            if state.effects:
                state.effects[-1].append(('assign', self, None))
        elif new is None or _shapecheck.is_unknown(new):
            self._a = blank(self._a)
        else:
            self._a = new

    def assign(self, value, use_locking=False, name=None, read_value=True):
        return self._written(value)

    def assign_add(self, delta, use_locking=None, name=None, read_value=True):
        return self._changed('add', delta)

    def assign_sub(self, delta, use_locking=None, name=None, read_value=True):
        return self._changed('subtract', delta)

    def _changed(self, name, delta):
        d = convert(delta, None, self._d)
        if d is None or _shapecheck.is_unknown(self._a):
            self._a = blank(self._a)
            return self
        if d._d != self._d:
            bad_dtype('a variable of dtype ' + self._d + ' cannot take a tensor of dtype ' + d._d)
        if current():
            self._written(Tensor(blank(d._a), d._d))
            return self
        return self._written(getattr(_ops(), name)(self._read(), d))

    def scatter_update(self, *args, **kw):
        self._wrote()
        return self

    scatter_nd_update = scatter_add = scatter_nd_add = scatter_sub = scatter_update

    def initialized_value(self):
        return self._read()

    def set_shape(self, shape):
        pass

    def __getattr__(self, name):
        if name.startswith('__') or name in _NUMPY_NAMES:
            raise AttributeError("'ResourceVariable' object has no attribute " + repr(name))
        return _shapecheck.unknown('tf.Variable.' + name)

    def __setitem__(self, index, v):
        raise TypeError("'ResourceVariable' object does not support item assignment")

    def __repr__(self):
        return _shapecheck.data_str()

    def __str__(self):
        return _shapecheck.data_str()


class TensorSpec:
    def __init__(self, shape, dtype=None, name=None):
        self.shape, self.dtype, self.name = TensorShape(shape), DType(name_of(dtype) or 'float32'), name

    @classmethod
    def from_tensor(cls, tensor, name=None):
        return cls(tensor.shape, tensor.dtype, name)

    @classmethod
    def from_spec(cls, spec, name=None):
        return cls(spec.shape, spec.dtype, name or spec.name)

    def is_compatible_with(self, x):
        return x.dtype == self.dtype and self.shape.is_compatible_with(x.shape)

    def __eq__(self, other):
        return isinstance(other, TensorSpec) and (self.shape._dims, self.dtype.name) == (other.shape._dims, other.dtype.name)

    def __hash__(self):
        return hash((self.shape._dims, self.dtype.name))

    def __repr__(self):
        return 'TensorSpec(shape=' + str(self.shape) + ', dtype=tf.' + self.dtype.name + ', name=' + repr(self.name) + ')'
