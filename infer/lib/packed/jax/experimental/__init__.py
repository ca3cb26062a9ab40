# jax.experimental: callbacks.
import numpy as np
import _shapecheck
from jax import _core, tree_util
from jax._core import Array
from jax._jit import run_effects


def _result(shapes):
    def one(s):
        d = _core.canonical(_core.name_of(s.dtype))
        return Array(np.empty(tuple(s.shape), _core.carrier(d)), d, False)
    return tree_util.tree_map(one, shapes)


def io_callback(callback, result_shape_dtypes, *args, sharding=None, ordered=False, **kw):
    run_effects([('call', lambda *a: callback(*a, **kw), args)])
    return _result(result_shape_dtypes)


def __getattr__(name):
    if name.startswith('__'):
        raise AttributeError("module 'jax.experimental' has no attribute '" + name + "'")
    return _shapecheck.unknown('jax.experimental.' + name)
