# tf.random.
import numpy as np
import _shapecheck
from ._core import carrier, convert, name_of
from ._ops import identity, lost, make, sizes


def _drawn(shape, dtype):
    s, d = sizes(shape), name_of(dtype)
    if d is None:
        return lost()
    return make(_shapecheck.unknown('a shape that is not known') if s is None else np.empty(s, carrier(d)), d)


def normal(shape, mean=0.0, stddev=1.0, dtype='float32', seed=None, name=None):
    return _drawn(shape, dtype)


def truncated_normal(shape, mean=0.0, stddev=1.0, dtype='float32', seed=None, name=None):
    return _drawn(shape, dtype)


def uniform(shape, minval=0, maxval=None, dtype='float32', seed=None, name=None):
    if maxval is None and name_of(dtype) in ('int32', 'int64'):
        raise ValueError('Must specify maxval for integer dtype ' + name_of(dtype))
    return _drawn(shape, dtype)


def stateless_normal(shape, seed, mean=0.0, stddev=1.0, dtype='float32', **kw):
    return _drawn(shape, dtype)


def stateless_uniform(shape, seed, minval=0, maxval=None, dtype='float32', **kw):
    return _drawn(shape, dtype)


def shuffle(value, seed=None, name=None):
    x = convert(value)
    return lost() if x is None else make(x._a if _shapecheck.is_unknown(x._a) else np.empty(x._a.shape, x._a.dtype), x._d)


def categorical(logits, num_samples, dtype=None, seed=None, name=None):
    x = convert(logits)
    if x is None or _shapecheck.is_unknown(x._a):
        return lost()
    return make(np.empty((x._a.shape[0], num_samples), 'int64'), 'int64')


def set_seed(seed):
    pass


def __getattr__(name):
    if name.startswith('__'):
        raise AttributeError(name)
    return _shapecheck.unknown('tf.random.' + name)
