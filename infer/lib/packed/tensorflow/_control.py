# Control flow, effects and gradients of TensorFlow.
import sys
import numpy as np
import _shapecheck
from . import _core, errors
from ._core import Tensor, Variable, _Operand, any_rank, blank, carrier, convert, current, name_of, state
from ._function import effect, eagerly, flat, structure, _output


def _join(a, b, what):
    """The result of one of two functions of which the graph keeps both."""
    if _shapecheck.is_unknown(a) or _shapecheck.is_unknown(b):
        return _shapecheck.unknown('a branch that is not known')
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        if len(a) != len(b):
            raise ValueError(what + ' must return the same structure')
        parts = [_join(x, y, what) for x, y in zip(a, b)]
        return type(a)(*parts) if hasattr(a, '_fields') else type(a)(parts)
    if isinstance(a, dict) and isinstance(b, dict):
        if sorted(a) != sorted(b):
            raise ValueError(what + ' must return the same structure')
        return {k: _join(a[k], b[k], what) for k in a}
    if a is None and b is None:
        return None
    x, y = _output(a), _output(b)
    if not isinstance(x, Tensor) or not isinstance(y, Tensor):
        if (x is None) != (y is None):
            raise ValueError(what + ' must return the same structure')
        return _shapecheck.unknown('a branch that is not known')
    if x._d != y._d:
        raise TypeError(what + ' must have the same number, type, and overall structure of return values: ' + x._d + ' and ' + y._d)
    if _shapecheck.is_unknown(x._a) or _shapecheck.is_unknown(y._a):
        return any_rank(x._d)
    if x._a.ndim != y._a.ndim:
        return any_rank(x._d)
    return Tensor(np.empty(tuple([m if m is n or _shapecheck.certain((m, n)) and m == n else _shapecheck.new_size(0) for m, n in zip(x._a.shape, y._a.shape)]), carrier(x._d)), x._d)


def cond(pred, true_fn=None, false_fn=None, name=None):
    if _shapecheck.is_unknown(pred):
        return pred
    if not current() or not isinstance(pred, _Operand):
        return true_fn() if pred else false_fn()
    mark = len(state.effects[-1])
    a = true_fn()
    b = false_fn()
    _hide(mark)
    return _join(a, b, 'true_fn and false_fn arguments to tf.cond')


def _hide(mark):
    """Whether what happens in a branch or loop of the graph does is not known."""
    e = state.effects[-1]
    for i in range(mark, len(e)):
        if e[i][0] != 'assign':
            e[i] = ('lost', None, None)


def case(pred_fn_pairs, default=None, exclusive=False, strict=False, name='case'):
    pairs = list(pred_fn_pairs)
    if not current():
        for p, f in pairs:
            if p:
                return f()
        return default()
    mark = len(state.effects[-1])
    results = [f() for p, f in pairs] + ([default()] if default is not None else [])
    _hide(mark)
    r = results[0]
    for x in results[1:]:
        r = _join(r, x, 'branches of tf.case')
    return r


def switch_case(branch_index, branch_fns, default=None, name='switch_case'):
    fns = list(branch_fns.values()) if isinstance(branch_fns, dict) else [f[1] if isinstance(f, tuple) else f for f in branch_fns]
    if default is not None:
        fns.append(default)
    if not current():
        n = int(branch_index)
        if _shapecheck.certain((n,)) and not isinstance(branch_fns, dict):
            return fns[n if 0 <= n < len(fns) else -1]()
        return _shapecheck.unknown('which function tf.switch_case takes')
    mark = len(state.effects[-1])
    results = [f() for f in fns]
    _hide(mark)
    r = results[0]
    for x in results[1:]:
        r = _join(r, x, 'branches of tf.switch_case')
    return r


def while_loop(cond, body, loop_vars, shape_invariants=None, parallel_iterations=10, back_prop=True, swap_memory=False, maximum_iterations=None, name=None):
    if _shapecheck.is_unknown(loop_vars):
        return loop_vars
    values = type(loop_vars)([_output(v) if not isinstance(v, (list, tuple, dict)) else structure(v, _output) for v in loop_vars]) if isinstance(loop_vars, list) else tuple([structure(v, _output) for v in loop_vars])
    one = len(values) == 1
    if not current():
        while cond(*values):
            r = body(*values)
            values = (r,) if one and not isinstance(r, (list, tuple)) else r
        return values
    mark = len(state.effects[-1])
    start = type(values)([structure(v, _loose if shape_invariants is not None else _blanked) for v in values]) if isinstance(values, list) else tuple([structure(v, _loose if shape_invariants is not None else _blanked) for v in values])
    cond(*start)
    r = body(*start)
    r = (r,) if one and not isinstance(r, (list, tuple)) else r
    _hide(mark)
    if _shapecheck.is_unknown(r):
        return r
    if len(r) != len(start):
        raise ValueError('The two structures don\'t have the same nested structure.')
    for a, b in zip(start, r):
        _same_loop_type(a, b, shape_invariants is not None)
    return start


def _blanked(x):
    return Tensor(blank(x._a), x._d) if isinstance(x, Tensor) else x


def _loose(x):
    return any_rank(x._d) if isinstance(x, Tensor) else x


def _same_loop_type(a, b, loose):
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        for x, y in zip(a, b):
            _same_loop_type(x, y, loose)
        return
    b = b if _shapecheck.is_unknown(b) else _output(b)
    if not isinstance(a, Tensor) or not isinstance(b, Tensor):
        return
    if a._d != b._d:
        raise TypeError('a loop variable has dtype ' + a._d + ' before the loop and dtype ' + b._d + ' after one iteration')
    if loose or _shapecheck.is_unknown(a._a) or _shapecheck.is_unknown(b._a):
        return
    p, q = tuple(a._a.shape), tuple(b._a.shape)
    if len(p) != len(q) or [1 for m, n in zip(p, q) if not _shapecheck.is_symbolic(m) and (_shapecheck.is_symbolic(n) or m != n)]:
        raise ValueError('Input tensor enters the loop with shape ' + str(a.shape) + ', but has shape ' + str(b.shape) + ' after one iteration. To allow the shape to vary across iterations, use the `shape_invariants` argument of tf.while_loop to specify a less-specific shape.')


def map_fn(fn, elems, dtype=None, parallel_iterations=None, back_prop=True, swap_memory=False, infer_shape=True, name=None, fn_output_signature=None):
    if _shapecheck.is_unknown(elems):
        return elems
    leaves = [convert(x) for x in flat(elems, [])]
    if [1 for x in leaves if x is None or _shapecheck.is_unknown(x._a)]:
        return _shapecheck.unknown('tf.map_fn over values that are not known')
    n = leaves[0]._a.shape[0]
    element = lambda i: structure(elems, lambda x: Tensor(blank(convert(x)._a[i]), convert(x)._d))
    stacked = lambda y: structure(y, lambda x: Tensor(np.empty((n,) + tuple(_output(x)._a.shape), carrier(_output(x)._d)), _output(x)._d))
    if current() or _shapecheck.is_symbolic(n):
        mark = len(state.effects[-1]) if current() else 0
        y = fn(element(0))
        if current():
            _hide(mark)
    else:
        y = None
        for i in range(n):
            y = fn(element(i))
    if _shapecheck.is_unknown(y) or [1 for x in flat(y, []) if _shapecheck.is_unknown(x) or _shapecheck.is_unknown(_output(x)._a)]:
        return _shapecheck.unknown('the result of tf.map_fn')
    return stacked(y)


def vectorized_map(fn, elems, fallback_to_while_loop=True, warn=True):
    with_graph = Tensor(np.empty((), 'float32'), 'float32')
    return _shapecheck.unknown('tf.vectorized_map')


def scan(fn, elems, initializer=None, *args, **kw):
    return _shapecheck.unknown('tf.scan')


foldl = foldr = scan


def print(*inputs, output_stream=sys.stderr, summarize=3, sep=' ', end='\n', name=None):
    if output_stream is not sys.stdout:
        return None
    text = sep.join(inputs) if not [1 for x in inputs if not isinstance(x, str)] and isinstance(sep, str) else _shapecheck.data_str()
    if end != '\n' or [1 for x in inputs if not _one_line(x)] or _shapecheck.certain((text,)) and '\n' in text:
        effect('lost', None)
        return None
    effect('print', text)
    return None


def _one_line(x):
    """Whether a value is printed in one line."""
    if isinstance(x, _Operand):
        return not _shapecheck.is_unknown(x._a) and x._a.ndim < 2 and x._d != 'string'
    return isinstance(x, (str, int, float, bool, _core.TensorShape, _core.DType)) or x is None


def py_function(func=None, inp=None, Tout=None, name=None):
    def run(*args):
        with eagerly():
            return func(*args)
    inp = [x if _shapecheck.is_unknown(x) else convert(x) for x in (inp or [])]
    if not current():
        r = func(*inp)
        return _typed(r, Tout)
    effect('call', run, inp)
    return structure(Tout, lambda d: any_rank(name_of(d))) if isinstance(Tout, (list, tuple)) and len(Tout) else any_rank(name_of(Tout)) if Tout is not None and not isinstance(Tout, (list, tuple)) else None


def _typed(r, Tout):
    if isinstance(Tout, (list, tuple)):
        if not isinstance(r, (list, tuple)):
            r = [r]
        return [_typed(x, d) for x, d in zip(r, Tout)]
    if _shapecheck.is_unknown(r) or r is None or Tout is None:
        return r
    x = convert(r, None, name_of(Tout))
    return _shapecheck.unknown('the result of a Python function') if x is None else x


def numpy_function(func=None, inp=None, Tout=None, stateful=True, name=None):
    arrays = lambda *args: func(*[x._a if isinstance(x, Tensor) else x for x in args])
    return py_function(arrays, inp, Tout)


class init_scope(eagerly):
    pass


class GradientTape:
    def __init__(self, persistent=False, watch_accessed_variables=True):
        self._persistent = persistent

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        pass

    def watch(self, tensor):
        for t in flat(tensor, []):
            if not _shapecheck.is_unknown(t) and not isinstance(t, _Operand):
                raise ValueError('Passed in object ' + str(t) + ' of type ' + type(t).__name__ + ', not tf.Tensor or tf.Variable or ExtensionType.')

    def gradient(self, target, sources, output_gradients=None, unconnected_gradients='none'):
        def one(x):
            if not isinstance(x, _Operand):
                return x if x is None or _shapecheck.is_unknown(x) else _shapecheck.unknown('a gradient')
            return Tensor(blank(x._a), x._d)
        return structure(sources, one)

    def jacobian(self, target, sources, *args, **kw):
        y = convert(target)
        if y is None or _shapecheck.is_unknown(y._a):
            return _shapecheck.unknown('a Jacobian')
        return structure(sources, lambda x: Tensor(np.empty(tuple(y._a.shape) + tuple(x._a.shape), carrier(x._d)), x._d))

    def batch_jacobian(self, target, source, *args, **kw):
        y = convert(target)
        return Tensor(np.empty(tuple(y._a.shape) + tuple(source._a.shape[1:]), carrier(source._d)), source._d)

    def stop_recording(self):
        return self

    def reset(self):
        pass

    def watched_variables(self):
        return _shapecheck.unknown('the variables that a tape watches')


def gradients(ys, xs, *args, **kw):
    return GradientTape().gradient(ys, xs if isinstance(xs, (list, tuple)) else [xs])


def custom_gradient(f=None):
    if f is None:
        return custom_gradient

    def g(*args, **kw):
        r = f(*args, **kw)
        return r if _shapecheck.is_unknown(r) else r[0]
    return g


def recompute_grad(f):
    return f


def executing_eagerly():
    return not current()


def inside_function():
    return bool(current())


class name_scope:
    def __init__(self, name=None, *args, **kw):
        self.name = name

    def __enter__(self):
        return self.name

    def __exit__(self, *exc):
        pass


class control_dependencies(name_scope):
    pass


def device(name=None):
    return name_scope(name)


def group(*inputs, **kw):
    return None


def no_op(name=None):
    return None


def Assert(condition, data, summarize=None, name=None):
    return None


class Module:
    def __init__(self, name=None):
        self._name = name or type(self).__name__.lower()

    name = property(lambda self: self._name)
    name_scope = property(lambda self: name_scope(self._name))

    @property
    def variables(self):
        found = []
        _variables(self, found, [])
        return tuple(found)

    @property
    def trainable_variables(self):
        return tuple([v for v in self.variables if v.trainable])

    @property
    def non_trainable_variables(self):
        return tuple([v for v in self.variables if not v.trainable])

    @property
    def submodules(self):
        seen = []
        _variables(self, [], seen)
        return tuple([m for m in seen if m is not self])

    @classmethod
    def with_name_scope(cls, method):
        return method


def _variables(x, found, seen):
    """Adds the variables of a module and of those in it to found, in the order of their names."""
    if isinstance(x, Variable):
        if not [1 for v in found if v is x]:
            found.append(x)
    elif isinstance(x, (list, tuple)):
        for v in x:
            _variables(v, found, seen)
    elif isinstance(x, dict):
        for k in x:
            _variables(x[k], found, seen)
    elif isinstance(x, Module):
        if [1 for m in seen if m is x]:
            return
        seen.append(x)
        attrs = vars(x)
        for k in sorted(attrs):
            _variables(attrs[k], found, seen)


class TensorArray:
    def __init__(self, dtype, size=None, dynamic_size=None, clear_after_read=None, tensor_array_name=None, handle=None, flow=None, infer_shape=True, element_shape=None, *args, **kw):
        self.dtype, self._n = _core.DType(name_of(dtype)), size
        self._shape = None if element_shape is None else _core.TensorShape(element_shape)._dims

    def __shapecheck_opaque__(self):
        pass

    def _element(self):
        if self._shape is None or [1 for n in self._shape if n is None]:
            return Tensor(_shapecheck.unknown('an element of a TensorArray'), self.dtype.name)
        return Tensor(np.empty(tuple(self._shape), carrier(self.dtype.name)), self.dtype.name)

    def write(self, index, value, name=None):
        v = convert(value)
        if v is not None and not _shapecheck.is_unknown(v._a) and self._shape is None:
            self._shape = tuple(v._a.shape)
        return self

    def read(self, index, name=None):
        return self._element()

    def stack(self, name=None):
        e = self._element()
        if _shapecheck.is_unknown(e._a):
            return e
        n = self._n
        if isinstance(n, _Operand):
            n = int(n._a)
        if n is None or _shapecheck.is_unknown(n) or n == 0:
            n = _shapecheck.new_size(0)
        return Tensor(np.empty((n,) + tuple(e._a.shape), carrier(e._d)), e._d)

    def unstack(self, value, name=None):
        v = convert(value)
        if v is not None and not _shapecheck.is_unknown(v._a):
            self._shape, self._n = tuple(v._a.shape[1:]), v._a.shape[0]
        return self

    def size(self, name=None):
        return Tensor(np.empty((), 'int32'), 'int32')

    def concat(self, name=None):
        return Tensor(_shapecheck.unknown('the elements of a TensorArray'), self.dtype.name)

    def close(self):
        pass
