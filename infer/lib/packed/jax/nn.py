# jax.nn: activations.
import _shapecheck
import jax.numpy as jnp
from . import _core


def relu(x):
    return jnp.maximum(x, 0)


def _float(x, *args, **kw):
    return jnp.exp(x)


sigmoid = tanh = softplus = silu = swish = gelu = elu = selu = celu = leaky_relu = log_sigmoid = soft_sign = hard_tanh = hard_sigmoid = hard_swish = mish = _float
tanh = jnp.tanh


def softmax(x, axis=-1, **kw):
    return jnp.exp(x)


log_softmax = standardize = softmax


def relu6(x):
    return jnp.minimum(jnp.maximum(x, 0), 6)


def logsumexp(a, axis=None, b=None, keepdims=False, **kw):
    return jnp.sum(jnp.exp(a), axis=axis, keepdims=keepdims)


def one_hot(x, num_classes, *, dtype=float, axis=-1):
    x = _core.operand(x)
    if x is None:
        return _shapecheck.unknown('jax.nn.one_hot of values that are not known')
    import numpy as np
    n = jnp._static(num_classes)
    k = x.ndim + 1 + axis if axis < 0 else axis
    d = jnp._dt(dtype)
    return jnp._result(np.empty(x.shape[:k] + (n,) + x.shape[k:], _core.carrier(d)), d, False, x)


def __getattr__(name):
    if name.startswith('__'):
        raise AttributeError("module 'jax.nn' has no attribute '" + name + "'")
    return _shapecheck.unknown('jax.nn.' + name)
