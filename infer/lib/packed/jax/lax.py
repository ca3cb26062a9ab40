# jax.lax: control flow and the primitive operations.
import numpy as np
import _shapecheck
import jax.numpy as jnp
from . import _core, tree_util
from ._core import Array, state, blank
from ._jit import abstractly, leaf, outputs, fresh, begin, end, tracer

_bodies = []  # (function, key, result): a body is traced once for arrays of the same types


def _types(x):
    out = []
    form = tree_util.flatten(x, out)
    return form, [leaf(v, 'a function') for v in out]


def _once(fun, args, weak=True):
    """The result of a body for arguments; a function object that was traced for these types is not run."""
    key = []
    for a in args:
        form, leaves = _types(a)
        if [1 for x in leaves if _shapecheck.is_unknown(x)]:
            return abstractly(fun, args)
        key.append((form, tuple([(x._d, x.shape, x._w and weak) for x in leaves])))
    key = tuple(key)
    if not _shapecheck.certain(key):
        return abstractly(fun, args)
    for f, k, r in _bodies:
        if f is fun and k == key:
            return fresh(r)
    n = len(state.effects[-1].list) if state.effects else 0
    r = abstractly(fun, args)
    if not state.effects or len(state.effects[-1].list) == n:
        _bodies.append((fun, key, r))
    return r


def _same(a, b):
    """Whether two results have one tree, and the types of the leaves that differ; weak types aside."""
    fa, xa = _types(a)
    fb, xb = _types(b)
    if fa != fb:
        return 'they have different tree structures'
    for x, y in zip(xa, xb):
        if _shapecheck.is_unknown(x) or _shapecheck.is_unknown(y):
            continue
        if x._d != y._d or x.shape != y.shape:
            return _core.describe(x) + ' and ' + _core.describe(y)
    return ''


def cond(pred, true_fun, false_fun, *operands, operand=None, **kw):
    if operand is not None:
        operands = (operand,)
    if _shapecheck.is_unknown(pred):
        return pred
    if isinstance(pred, Array) and pred.ndim:
        raise TypeError('Pred must be a scalar, got ' + str(pred) + ' of shape ' + str(pred.shape) + '.')
    if state.disabled:
        return true_fun(*operands) if pred else false_fun(*operands)
    a, b = _once(true_fun, operands), _once(false_fun, operands)
    if _shapecheck.is_unknown(a) or _shapecheck.is_unknown(b):
        return _shapecheck.unknown('a branch of lax.cond that is not known')
    d = _same(a, b)
    if d:
        raise TypeError('cond branches must have equal output types but they differ: ' + d)
    return tree_util.tree_map(lambda x, y: Array(x._a, x._d, x._w or y._w), a, b)


def switch(index, branches, *operands, **kw):
    rs = [_once(b, operands) for b in branches]
    for r in rs:
        if _shapecheck.is_unknown(r):
            return r
        d = _same(rs[0], r)
        if d:
            raise TypeError('switch branches must have equal output types but they differ: ' + d)
    return rs[0]


def select_n(which, *cases):
    return jnp.where(which, cases[-1], cases[0])


def select(pred, on_true, on_false):
    return jnp.where(pred, on_true, on_false)


def _carry(fun, carry, rest, name, pick):
    """Traces a body whose carry keeps its type; a weak number becomes what the body gives it."""
    carry = tree_util.tree_map(lambda x: leaf(x, name), carry)
    for again in (True, False):
        r = _once(fun, (carry,) + rest, False) if name != 'fori_loop' else _once(fun, rest + (carry,), False)
        if _shapecheck.is_unknown(r):
            return None, r
        out = pick(r)
        fa, xa = _types(carry)
        fb, xb = _types(out)
        if fa != fb:
            raise TypeError(name + ' body function carry input and carry output must have the same pytree structure, but they differ')
        changed, bad, leaves = False, '', []
        for x, y in zip(xa, xb):
            if x.shape != y.shape:
                bad = _core.describe(x) + ' and ' + _core.describe(y)
            elif x._d != y._d:
                if again and x._w and _core.promote(x._d, True, y._d, y._w)[0] == y._d:
                    changed, x = True, Array(x._a.astype(_core.carrier(y._d)), y._d, y._w)
                else:
                    bad = _core.describe(x) + ' and ' + _core.describe(y)
            leaves.append(Array(x._a, x._d, x._w and y._w))
        if bad:
            raise TypeError(name + ' body function carry input and carry output must have equal types, but they differ: ' + bad)
        carry = tree_util.build(fa, iter(leaves))
        if not changed:
            return fresh(carry), r
    return fresh(carry), r


def scan(f, init, xs=None, length=None, reverse=False, unroll=1, **kw):
    out = []
    form = tree_util.flatten(xs, out)
    leaves = [leaf(x, 'scan') for x in out]
    if [1 for x in leaves if _shapecheck.is_unknown(x)] or _shapecheck.is_unknown(init):
        return _shapecheck.unknown('lax.scan over values that are not known')
    n = length
    for x in leaves:
        if x.ndim == 0:
            raise ValueError('scan got value with no leading axis to scan over: ' + _core.describe(x))
        if n is not None and n != x.shape[0]:
            raise ValueError('scan got values with different leading axis sizes: ' + str(n) + ', ' + str(x.shape[0]) + '.')
        n = x.shape[0]
    if n is None:
        raise ValueError('scan got no values to scan over and `length` not provided.')
    if state.disabled:
        return _shapecheck.unknown('lax.scan without jit')
    row = tree_util.build(form, iter([Array(np.empty(x.shape[1:], _core.carrier(x._d)), x._d, x._w) for x in leaves]))

    def pick(r):
        if not isinstance(r, tuple) or len(r) != 2:
            raise TypeError('scan body output must be a pair, got ' + str(r) + '.')
        return r[0]
    k = len(state.effects[-1].list) if state.effects else 0
    carry, r = _carry(f, init, (row,), 'scan', pick)
    _repeat(k, n)
    if carry is None:
        return r
    ys = tree_util.tree_map(lambda y: Array(np.empty((n,) + y.shape, _core.carrier(y._d)), y._d, False), r[1])
    return carry, ys


def _repeat(k, n):
    """What the effects since the k-th are when their body runs n times; None: nobody knows how often."""
    if not state.effects:
        return
    list_ = state.effects[-1].list
    part = list_[k:]
    if part:
        del list_[k:]
        if isinstance(n, int) and not _shapecheck.is_symbolic(n) and n <= 1000:
            list_.extend(part * n)
        else:
            list_.append(('lost', None, None))


def while_loop(cond_fun, body_fun, init_val):
    if _shapecheck.is_unknown(init_val):
        return init_val
    if state.disabled:
        return _shapecheck.unknown('lax.while_loop without jit')
    k = len(state.effects[-1].list) if state.effects else 0
    start = tree_util.tree_map(lambda x: leaf(x, 'while_loop'), init_val)

    def both(v):
        p = cond_fun(v)
        if isinstance(p, Array) and (p.ndim or p._d != 'bool'):
            raise TypeError('cond_fun must return a boolean scalar, but got output type ' + _core.describe(p) + '.')
        return body_fun(v)
    known = [1 for f, key, r in _bodies if f is body_fun]
    carry, r = _carry(both if not known else body_fun, start, (), 'while_loop', lambda r: r)
    if not known:
        for i, (f, key, r2) in enumerate(_bodies):
            if f is both:
                _bodies[i] = (body_fun, key, r2)
    _repeat(k, None)
    return r if carry is None else carry


def fori_loop(lower, upper, body_fun, init_val, **kw):
    if _shapecheck.is_unknown(init_val):
        return init_val
    if state.disabled:
        return _shapecheck.unknown('lax.fori_loop without jit')
    k = len(state.effects[-1].list) if state.effects else 0
    d, w = 'int32', not isinstance(lower, Array)
    carry, r = _carry(body_fun, init_val, (Array(np.empty((), 'int32'), d, w),), 'fori_loop', lambda r: r)
    known = isinstance(lower, int) and isinstance(upper, int)
    _repeat(k, upper - lower if known else None)
    return r if carry is None else carry


def map(f, xs, **kw):
    r = scan(lambda c, x: (c, f(x)), (), xs)
    return r if _shapecheck.is_unknown(r) else r[1]


def associative_scan(fn, elems, reverse=False, axis=0):
    return elems


def stop_gradient(x):
    return tree_util.tree_map(lambda v: v, x)


def dynamic_slice(operand, start_indices, slice_sizes):
    x = _core.operand(operand)
    if x is None or not jnp._known(slice_sizes):
        return _shapecheck.unknown('lax.dynamic_slice of values that are not known')
    return jnp._result(np.empty(tuple(jnp._static(slice_sizes)), _core.carrier(x._d)), x._d, x._w, x)


def dynamic_update_slice(operand, update, start_indices):
    x, u = _core.operand(operand), _core.operand(update)
    if x is None or u is None:
        return _shapecheck.unknown('lax.dynamic_update_slice of values that are not known')
    if x._d != u._d and not u._w:
        raise TypeError('dynamic_update_slice requires arguments to have the same dtypes, got ' + x._d + ', ' + u._d + '.')
    return jnp._result(blank(x._a), x._d, x._w, x, u)


def dynamic_slice_in_dim(operand, start_index, slice_size, axis=0):
    x = _core.operand(operand)
    if x is None:
        return _shapecheck.unknown('lax.dynamic_slice_in_dim of values that are not known')
    shape = list(x.shape)
    shape[axis] = jnp._static(slice_size)
    return jnp._result(np.empty(tuple(shape), _core.carrier(x._d)), x._d, x._w, x)


def dynamic_index_in_dim(operand, index, axis=0, keepdims=True):
    r = dynamic_slice_in_dim(operand, index, 1, axis)
    return r if keepdims else jnp.squeeze(r, axis)


def dynamic_update_slice_in_dim(operand, update, start_index, axis):
    return dynamic_update_slice(operand, update, None)


def dynamic_update_index_in_dim(operand, update, index, axis):
    return dynamic_update_slice(operand, update, None)


def slice_in_dim(operand, start_index, limit_index, stride=1, axis=0):
    x = _core.operand(operand)
    return x[(slice(None),) * axis + (slice(start_index, limit_index, stride),)]


def convert_element_type(operand, new_dtype):
    return _core.asarray(operand).astype(new_dtype)


def broadcast(operand, sizes):
    return jnp.broadcast_to(operand, tuple(sizes) + tuple(jnp.shape(operand)))


def expand_dims(array, dimensions):
    return jnp.expand_dims(array, tuple(dimensions))


def iota(dtype, size):
    return jnp.arange(size, dtype=dtype)


def concatenate(operands, dimension):
    return jnp.concatenate(operands, dimension)


def top_k(operand, k, **kw):
    x = _core.operand(operand)
    if x is None:
        return _shapecheck.unknown('lax.top_k of values that are not known')
    shape = x.shape[:-1] + (jnp._static(k),)
    return jnp._result(np.empty(shape, _core.carrier(x._d)), x._d, False, x), jnp._result(np.empty(shape, 'int32'), 'int32', False, x)


def psum(x, axis_name, **kw):
    return x


pmean = pmax = pmin = psum


def rsqrt(x):
    return jnp.divide(1.0, jnp.sqrt(x))


def reshape(operand, new_sizes, dimensions=None):
    return jnp.reshape(operand, new_sizes)


def transpose(operand, permutation):
    return jnp.transpose(operand, permutation)


add, sub, mul, div, max, min, pow, rem = jnp.add, jnp.subtract, jnp.multiply, jnp.true_divide, jnp.maximum, jnp.minimum, jnp.power, jnp.remainder
exp, log, sin, cos, tanh, sqrt, abs, neg, sign, floor, ceil, square, dot = (
    jnp.exp, jnp.log, jnp.sin, jnp.cos, jnp.tanh, jnp.sqrt, jnp.abs, jnp.negative, jnp.sign, jnp.floor, jnp.ceil, jnp.square, jnp.dot)
eq, ne, lt, le, gt, ge = jnp.equal, jnp.not_equal, jnp.less, jnp.less_equal, jnp.greater, jnp.greater_equal
bitwise_and, bitwise_or, bitwise_xor, cumsum, cumprod = jnp.bitwise_and, jnp.bitwise_or, jnp.bitwise_xor, jnp.cumsum, jnp.cumprod


def clamp(min, x, max):
    return jnp.minimum(jnp.maximum(x, min), max)


def __getattr__(name):
    if name.startswith('__'):
        raise AttributeError("module 'jax.lax' has no attribute '" + name + "'")
    return _shapecheck.unknown('jax.lax.' + name)
