# jax.random: keys, and arrays whose elements are random.
import numpy as np
import _shapecheck
from . import _core
from ._core import Array
import jax.numpy as jnp


def key(seed, **kw):
    s = _core.operand(seed)
    return _shapecheck.unknown('a key') if s is None else jnp._result(np.empty((), 'uint32'), 'key<fry>', False, s)


def PRNGKey(seed, **kw):
    s = _core.operand(seed)
    return _shapecheck.unknown('a key') if s is None else jnp._result(np.empty((2,), 'uint32'), 'uint32', False, s)


def _check(k):
    x = _core.operand(k)
    if x is not None and x._d != 'key<fry>' and (x._d != 'uint32' or x.ndim < 1):
        raise TypeError('unexpected PRNG key type ' + _core.describe(x))
    return x


def split(key, num=2):
    x = _check(key)
    if x is None or not jnp._known(num):
        return _shapecheck.unknown('keys')
    n = jnp._static(num)
    n = tuple(n) if isinstance(n, (tuple, list)) else (n,)
    return jnp._result(np.empty(n + x.shape, 'uint32'), x._d, False, x)


def fold_in(key, data):
    x = _check(key)
    return _shapecheck.unknown('a key') if x is None else jnp._result(np.empty(x.shape, 'uint32'), x._d, False, x)


def key_data(keys):
    x = _core.operand(keys)
    return _shapecheck.unknown('a key') if x is None else jnp._result(np.empty(x.shape + (2,), 'uint32'), 'uint32', False, x)


def clone(key):
    return key


def _draw(k, shape, dtype, *others):
    x = _check(k)
    xs = [_core.operand(o) for o in others]
    if x is None or [1 for o in xs if o is None] or not jnp._known(shape):
        return _shapecheck.unknown('random numbers of a shape that is not known')
    if shape is None:
        shape = np.broadcast_shapes(*[o.shape for o in xs]) if xs else ()
    shape = jnp._static(shape)
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    d = jnp._dt(dtype)
    return jnp._result(np.empty(shape, _core.carrier(d)), d, False, x, *xs)


def uniform(key, shape=(), dtype=float, minval=0.0, maxval=1.0, **kw):
    return _draw(key, shape, dtype)


def normal(key, shape=(), dtype=float, **kw):
    return _draw(key, shape, dtype)


gumbel = laplace = logistic = cauchy = exponential = normal


def truncated_normal(key, lower, upper, shape=None, dtype=float, **kw):
    return _draw(key, shape, dtype, lower, upper)


def randint(key, shape, minval, maxval, dtype=int, **kw):
    return _draw(key, shape, dtype)


def bits(key, shape=(), dtype='uint32', **kw):
    return _draw(key, shape, dtype)


def bernoulli(key, p=0.5, shape=None, **kw):
    return _draw(key, shape, 'bool', p)


def categorical(key, logits, axis=-1, shape=None, **kw):
    x = _core.operand(logits)
    if x is None:
        return _shapecheck.unknown('random numbers of a shape that is not known')
    k = axis + x.ndim if axis < 0 else axis
    return _draw(key, x.shape[:k] + x.shape[k + 1:] if shape is None else shape, int, x)


def permutation(key, x, axis=0, independent=False, **kw):
    _check(key)
    return jnp.arange(x) if isinstance(x, int) else _core.asarray(x)


def choice(key, a, shape=(), replace=True, p=None, axis=0, **kw):
    x = jnp.arange(a) if isinstance(a, int) else _core.asarray(a)
    if _shapecheck.is_unknown(x):
        return x
    return _draw(key, tuple(shape) + x.shape[1:], x.dtype)


def __getattr__(name):
    if name.startswith('__'):
        raise AttributeError("module 'jax.random' has no attribute '" + name + "'")
    return _shapecheck.unknown('jax.random.' + name)
