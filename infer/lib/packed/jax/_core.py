# Arrays of JAX and their dtypes. An array has its elements in _a (an array of numpy, of the
# dtype nearest to its own), the name of its dtype in _d, whether that is weak in _w, and in _t
# the number of the trace whose tracer it is; 0: it is concrete.
import numpy as np
import _shapecheck

FLOATS = ('float16', 'bfloat16', 'float32', 'float64')
SIGNED = ('int8', 'int16', 'int32', 'int64')
UNSIGNED = ('uint8', 'uint16', 'uint32', 'uint64')
COMPLEX = ('complex64', 'complex128')
_SHORT = {'float16': 'f16', 'bfloat16': 'bf16', 'float32': 'f32', 'float64': 'f64', 'int8': 'i8', 'int16': 'i16', 'int32': 'i32', 'int64': 'i64',
          'uint8': 'u8', 'uint16': 'u16', 'uint32': 'u32', 'uint64': 'u64', 'complex64': 'c64', 'complex128': 'c128'}
_BITS = {'bool': 8, 'int8': 8, 'uint8': 8, 'int16': 16, 'uint16': 16, 'float16': 16, 'bfloat16': 16, 'int32': 32, 'uint32': 32, 'float32': 32,
         'int64': 64, 'uint64': 64, 'float64': 64, 'complex64': 64, 'complex128': 128}
_NARROW = {'float64': 'float32', 'int64': 'int32', 'uint64': 'uint32', 'complex128': 'complex64'}


class _State:
    def __init__(self):
        self.x64 = False
        self.disabled = False
        self.traces = []      # the open traces, innermost last: their numbers
        self.staged = []      # of those the ones where all operations are traced: not vmap's
        self.last = 0
        self.effects = []     # for each open jit, what happens at each call


state = _State()


def canonical(name):
    if name.endswith('_') and name != 'bool_':
        name = name[:-1]
    name = {'bool_': 'bool', 'float': 'float64', 'int': 'int64', 'double': 'float64', 'half': 'float16', 'single': 'float32', 'complex': 'complex128',
            'uint': 'uint64', 'int_': 'int64', 'float_': 'float64'}.get(name, name)
    if not state.x64:
        name = _NARROW.get(name, name)
    return name


class DType:
    """A dtype, which called makes an array of it, as jnp.float32 does."""
    __shapecheck_dtype__ = True

    def __init__(self, name):
        self.name = name

    @property
    def dtype(self):
        return self

    @property
    def itemsize(self):
        return _BITS.get(self.name, 32) // 8

    @property
    def kind(self):
        return 'b' if self.name == 'bool' else 'i' if self.name in SIGNED else 'u' if self.name in UNSIGNED else 'c' if self.name in COMPLEX else 'f'

    @property
    def type(self):
        return self

    def __call__(self, x=0):
        return asarray(x, self.name, False)

    def __eq__(self, other):
        if _shapecheck.is_unknown(other):
            return other
        n = name_of(other, True)
        return n is not None and canonical(n) == canonical(self.name)

    def __ne__(self, other):
        r = self == other
        return r if _shapecheck.is_unknown(r) else not r

    def __hash__(self):
        return hash(self.name)

    def __repr__(self):
        return "dtype('" + self.name + "')"

    def __str__(self):
        return self.name


def name_of(d, quiet=False):
    """The name of a dtype given in any form; None: it is not known, or no dtype."""
    if d is None or _shapecheck.is_unknown(d):
        return None
    if isinstance(d, DType):
        return d.name
    if isinstance(d, str):
        return {'f4': 'float32', 'f8': 'float64', 'i4': 'int32', 'i8': 'int64'}.get(d, d)
    if d is float:
        return 'float'
    if d is int:
        return 'int'
    if d is bool:
        return 'bool'
    if d is complex:
        return 'complex'
    try:
        return np.dtype(d).name
    except TypeError:
        if quiet:
            return None
        raise


def carrier(name):
    if name in _BITS and name != 'bfloat16':
        return name
    return 'uint32' if name.startswith('key') else 'float32'


def rank_of(name):
    return 0 if name == 'bool' else 1 if name in SIGNED or name in UNSIGNED else 3 if name in COMPLEX else 2


def weak_default(kind):
    return canonical(('bool', 'int', 'float', 'complex')[kind])


def promote(a, wa, b, wb):
    """The join of two dtypes in JAX's lattice: its name, and whether it is weak."""
    if a == b:
        return a, wa and wb
    ka, kb = rank_of(a), rank_of(b)
    if wa and wb:
        return weak_default(max(ka, kb)), True
    if wb:
        a, wa, ka, b, wb, kb = b, wb, kb, a, wa, ka
    if wa:  # a alone is weak
        if ka <= kb:
            return b, False
        if ka == 3 and kb == 2:
            return canonical('complex128' if b == 'float64' else 'complex64'), False
        return weak_default(ka), True
    if ka > kb:
        a, ka, b, kb = b, kb, a, ka
    if ka < kb:
        if kb == 3 and a == 'float64':
            return canonical('complex128'), False
        return b, False
    if ka == 2:
        if _BITS[a] == _BITS[b]:
            return 'float32', False
        return (a if _BITS[a] > _BITS[b] else b), False
    if ka == 3:
        return 'complex128', False
    if (a in SIGNED) == (b in SIGNED):
        return (a if _BITS[a] > _BITS[b] else b), False
    s, u = (a, b) if a in SIGNED else (b, a)
    if _BITS[s] > _BITS[u]:
        return s, False
    if _BITS[u] == 64:
        return weak_default(2), True
    return canonical('int' + str(2 * _BITS[u])), False


def current():
    """The trace that operations belong to now; 0: they run."""
    return state.staged[-1] if state.staged else 0


class _At:
    def __init__(self, x):
        self._x = x

    def __getitem__(self, index):
        return _Updated(self._x, index)


class _Updated:
    def __init__(self, x, index):
        self._x, self._index = x, index

    def set(self, v, **kw):
        part = self._x[self._index]
        if not _shapecheck.is_unknown(part):
            o = operand(v)
            if o is not None:
                fits(o._a, part._a)
        return Array(blank(self._x._a), self._x._d, self._x._w, self._x._t)

    def get(self, **kw):
        return self._x[self._index]

    def apply(self, func, **kw):
        return self.set(0)

    add = multiply = mul = divide = power = min = max = set


def fits(value, part):
    try:
        np.broadcast_to(value, part.shape)
    except ValueError:
        raise ValueError('Incompatible shapes for broadcasting: %s and requested shape %s' % (tuple(value.shape), tuple(part.shape)))


def blank(a):
    """An array like a whose elements are not known."""
    return np.empty(a.shape, a.dtype)


def fail(kind, what):
    from . import errors
    raise getattr(errors, kind)(what)


class Array:
    __shapecheck_array__ = True
    __array_priority__ = 100

    def __init__(self, a, d, w=False, t=None):
        self._a = a
        self._d = d
        self._w = w
        self._t = current() if t is None else t

    shape = property(lambda self: tuple(self._a.shape))
    ndim = property(lambda self: self._a.ndim)
    size = property(lambda self: self._a.size)
    nbytes = property(lambda self: self._a.size * (_BITS.get(self._d, 32) // 8))
    itemsize = property(lambda self: _BITS.get(self._d, 32) // 8)
    dtype = property(lambda self: DType(self._d))
    weak_type = property(lambda self: self._w)
    aval = property(lambda self: self)
    at = property(lambda self: _At(self))
    T = property(lambda self: self._like(self._a.T))
    mT = property(lambda self: self._like(np.swapaxes(self._a, -1, -2)))
    real = property(lambda self: Array(self._a.real, {'complex64': 'float32', 'complex128': 'float64'}.get(self._d, self._d), self._w))
    imag = property(lambda self: Array(self._a.imag, {'complex64': 'float32', 'complex128': 'float64'}.get(self._d, self._d), self._w))

    def _like(self, a):
        return Array(np.asarray(a), self._d, self._w, live(self))

    def _traced(self, kind, what):
        live(self)
        if self._t:
            fail(kind, what + ' of traced array with shape ' + describe(self) + '.')

    def __bool__(self):
        self._traced('TracerBoolConversionError', 'Attempted boolean conversion')
        return bool(self._a)

    def __int__(self):
        self._traced('ConcretizationTypeError', 'int()')
        return int(self._a)

    def __index__(self):
        self._traced('TracerIntegerConversionError', 'The __index__() method')
        return int(self._a)

    def __float__(self):
        self._traced('ConcretizationTypeError', 'float()')
        return float(self._a)

    def __complex__(self):
        self._traced('ConcretizationTypeError', 'complex()')
        return complex(self._a)

    def item(self, *args):
        self._traced('ConcretizationTypeError', 'item()')
        return self._a.item(*args)

    def tolist(self):
        self._traced('ConcretizationTypeError', 'tolist()')
        return self._a.tolist()

    def __array__(self, dtype=None, copy=None):
        self._traced('TracerArrayConversionError', 'The numpy.ndarray conversion')
        return self._a

    def __len__(self):
        if self._a.ndim == 0:
            raise TypeError('len() of unsized object')
        return self._a.shape[0]

    def __iter__(self):
        if self._a.ndim == 0:
            raise TypeError('iteration over a 0-d array')
        return iter([self[i] for i in range(self._a.shape[0])])

    def __hash__(self):
        raise TypeError("unhashable type: 'Array'")

    def __repr__(self):
        if self._t:
            return 'JitTracer(' + ('~' if self._w else '') + describe(self) + ')'
        return repr(self._a)

    def __str__(self):
        if self._t:
            return 'JitTracer(' + ('~' if self._w else '') + describe(self) + ')'
        return str(self._a)

    def __format__(self, spec):
        return str(self)

    def __setitem__(self, index, v):
        raise TypeError("JAX arrays are immutable and do not support in-place item assignment. Instead of x[idx] = y, use x = x.at[idx].set(y).")

    def __getitem__(self, index):
        t = live(self)
        parts = index if isinstance(index, tuple) else (index,)
        plain = []
        for p in parts:
            if _shapecheck.is_unknown(p):
                return p
            if isinstance(p, Array):
                if live(p) and p._d == 'bool':
                    fail('NonConcreteBooleanIndexError', 'Array boolean indices must be concrete; got bool' + str(list(p.shape)))
                t = t or p._t
                if rank_of(p._d) > 1:
                    raise TypeError('Indexer must have integer or boolean type, got indexer with type ' + p._d)
                p = p._a if p._a.ndim or p._d == 'bool' else None
                if p is None:  # a number that is not known takes an axis away
                    p = 0
            elif isinstance(p, slice):
                for b in (p.start, p.stop, p.step):
                    if isinstance(b, Array) and live(b):
                        raise IndexError('Slice entries must be static integers. Got ' + str(b))
                p = slice(_plain(p.start), _plain(p.stop), _plain(p.step))
            elif isinstance(p, list):
                raise TypeError('Using a non-tuple sequence for multidimensional indexing is not allowed; use `arr[array(seq)]` instead of `arr[seq]`.')
            elif isinstance(p, int) and not _shapecheck.is_symbolic(p):
                p = _clamp(p, len(plain), self, parts)
            plain.append(p)
        try:
            a = np.asarray(self._a[tuple(plain)])
        except IndexError as e:
            raise IndexError(str(e))
        return Array(a if not t else blank(a), self._d, self._w, t or None)

    # What numpy has as methods.
    def astype(self, dtype, copy=False, device=None):
        if _shapecheck.is_unknown(dtype):
            return dtype
        d = canonical(name_of(dtype))
        return Array(self._a.astype(carrier(d)), d, False, live(self) or None)

    def reshape(self, *shape, **kw):
        if 'order' in kw:
            kw.pop('order')
        return _np().reshape(self, shape[0] if len(shape) == 1 else shape, **kw)

    def transpose(self, *axes):
        if len(axes) == 1 and (axes[0] is None or isinstance(axes[0], (tuple, list))):
            axes = axes[0]
        return _np().transpose(self, axes or None)

    def copy(self):
        return self._like(self._a)

    def view(self, dtype=None):
        return _shapecheck.unknown('a view of a JAX array')

    def block_until_ready(self):
        return self

    def delete(self):
        self._t = -1

    def is_deleted(self):
        return self._t == -1

    def to_device(self, device, stream=None):
        return self

    def devices(self):
        return _shapecheck.unknown('the devices of JAX')

    def item_size(self):
        return self.itemsize

    def __getattr__(self, name):
        if name in _METHODS:
            f = getattr(_np(), name)
            return lambda *args, **kw: f(self, *args, **kw)
        if name.startswith('__'):
            raise AttributeError(name)
        return _shapecheck.unknown('jax.Array.' + name)

    def __neg__(self):
        return _np().negative(self)

    def __pos__(self):
        return self

    def __abs__(self):
        return _np().abs(self)

    def __invert__(self):
        return _np().invert(self)

    def __round__(self, n=0):
        return _np().round(self, n)

    def __contains__(self, x):
        return bool(_np().any(self == x))

    def __matmul__(self, o):
        return _np().matmul(self, o)

    def __rmatmul__(self, o):
        return _np().matmul(o, self)

    def __divmod__(self, o):
        return _np().floor_divide(self, o), _np().remainder(self, o)


_METHODS = ('sum', 'mean', 'prod', 'max', 'min', 'all', 'any', 'argmax', 'argmin', 'argsort', 'sort', 'cumsum', 'cumprod', 'std', 'var', 'squeeze', 'ravel',
            'flatten', 'swapaxes', 'repeat', 'take', 'clip', 'round', 'dot', 'conj', 'diagonal', 'trace', 'nonzero', 'ptp', 'searchsorted', 'choose', 'compress')


def _operators():
    def make(name, left, right):
        def f(self, o):
            return _binary(name, self, o)

        def g(self, o):
            return _binary(name, o, self)
        setattr(Array, left, f)
        if right:
            setattr(Array, right, g)
    for name, m in (('add', 'add'), ('subtract', 'sub'), ('multiply', 'mul'), ('true_divide', 'truediv'), ('floor_divide', 'floordiv'), ('remainder', 'mod'),
                    ('power', 'pow'), ('bitwise_and', 'and'), ('bitwise_or', 'or'), ('bitwise_xor', 'xor'), ('left_shift', 'lshift'), ('right_shift', 'rshift')):
        make(name, '__' + m + '__', '__r' + m + '__')
    for name, m in (('equal', 'eq'), ('not_equal', 'ne'), ('less', 'lt'), ('less_equal', 'le'), ('greater', 'gt'), ('greater_equal', 'ge')):
        make(name, '__' + m + '__', None)


def _np():
    import jax.numpy
    return jax.numpy


def _binary(name, x, y):
    if _shapecheck.is_unknown(x):
        return x
    if _shapecheck.is_unknown(y):
        return y
    for v in (x, y):
        if not isinstance(v, (Array, int, float, complex, np.ndarray, np.generic)):
            if name == 'equal':
                return False
            if name == 'not_equal':
                return True
            return NotImplemented
    return getattr(_np(), name)(x, y)


_operators()


def _plain(b):
    return int(b._a) if isinstance(b, Array) else b


def _clamp(i, at, x, parts):
    """A number as index: what is out of bounds is an error of numpy's alone."""
    axis = 0
    for p in parts[:at]:
        if p is not None and p is not Ellipsis:
            axis += 1
        elif p is Ellipsis:
            return 0
    if axis < x._a.ndim:
        n = x._a.shape[axis]
        if isinstance(n, int) and not _shapecheck.is_symbolic(n) and n > 0 and not -n <= i < n:
            return 0
    return i


def live(x):
    """The trace of an array; one that has ended is an error."""
    if x._t == -1:
        _shapecheck.refuse('RuntimeError', 'SC532', 'Array has been deleted with shape=' + describe(x) + '.')
    if x._t and x._t not in state.traces:
        fail('UnexpectedTracerError', 'Encountered an unexpected tracer with shape ' + describe(x) + ': it was used after its trace had ended')
    return x._t


def describe(x):
    return x._d + '[' + ','.join([str(n) for n in x.shape]) + ']'


def short(x):
    """An array as the text of a type."""
    return _SHORT.get(x._d, x._d) + '[' + ','.join([str(n) for n in x.shape]) + ']' + ('*' if x._w else '')


def operand(x):
    """x as an array; None: what it is, is not known."""
    if _shapecheck.is_unknown(x):
        return None
    if isinstance(x, Array):
        live(x)
        return x
    return asarray(x, None, None)


def scalar_type(x):
    """The dtype of a number of Python; None: it is none."""
    if isinstance(x, bool):
        return 'bool'
    if isinstance(x, int):
        return canonical('int')
    if isinstance(x, float):
        return canonical('float')
    if isinstance(x, complex):
        return canonical('complex')
    return None


def asarray(x, dtype=None, weak=None):
    """An array of anything; weak: None, as jnp.asarray has it, else as given."""
    if _shapecheck.is_unknown(x):
        return x
    d = None if dtype is None else canonical(name_of(dtype))
    if isinstance(x, Array):
        t = live(x)
        if d is None or d == x._d:
            return Array(x._a, x._d, x._w if weak is None and d is None else False, t or None)
        return Array(x._a.astype(carrier(d)), d, False, t or None)
    s = scalar_type(x) if not isinstance(x, np.generic) else None
    if s is not None:
        w = s != 'bool' and d is None and weak is not False
        d = d or s
        return Array(np.asarray(x, carrier(d)), d, w)
    if isinstance(x, (np.ndarray, np.generic)):
        d = d or canonical(x.dtype.name)
        return Array(np.asarray(x).astype(carrier(d)), d, False)
    if isinstance(x, (list, tuple)):
        found, w, t = None, True, 0
        flat = []
        todo = [x]
        while todo:
            v = todo.pop()
            if isinstance(v, (list, tuple)):
                todo.extend(v)
                continue
            if _shapecheck.is_unknown(v):
                return v
            e = operand(v)
            if e is None:
                return _shapecheck.unknown('an array of values that are not known')
            t = t or e._t
            found, w = (e._d, e._w) if found is None else promote(found, w, e._d, e._w)
        d = d or found or canonical('float')
        if t:
            return Array(blank(np.asarray(_values(x))).astype(carrier(d)), d, False, t)
        return Array(np.asarray(_values(x)).astype(carrier(d)), d, False)
    if hasattr(x, '__jax_array__'):
        return asarray(x.__jax_array__(), dtype, weak)
    if x is None or isinstance(x, str) or callable(x):
        raise TypeError("Value '" + str(x) + "' with type " + type(x).__name__ + ' is not a valid JAX type')
    return _shapecheck.unknown('an array of ' + type(x).__name__)


def _values(x):
    if isinstance(x, (list, tuple)):
        return [_values(v) for v in x]
    return x._a if isinstance(x, Array) else x
