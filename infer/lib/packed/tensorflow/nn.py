# tf.nn.
import numpy as np
import _shapecheck
from . import _ops
from ._core import FLOATS, Tensor, bad, blank, carrier, convert, name_of
from ._ops import (relu, relu6, leaky_relu, softmax, log_softmax, sigmoid, tanh, softplus, softsign, elu, selu, gelu, silu, swish, log_sigmoid, top_k, lost, make, moments_of as moments,
                   l2_loss, zero_fraction)
from ._ops import number as _number, pair as _pair


def dropout(x, rate, noise_shape=None, seed=None, name=None):
    x = convert(x)
    if x is None:
        return lost()
    if x._d not in FLOATS:
        raise ValueError('x has to be a floating point tensor since it\'s going to be scaled. Got a ' + x._d + ' tensor instead.')
    if isinstance(rate, (int, float)) and not _shapecheck.is_symbolic(rate) and not 0 <= rate < 1:
        raise ValueError('`rate` must be a scalar tensor or a float in the range [0, 1). Received: rate=' + str(rate))
    return make(blank(x._a), x._d)


def bias_add(value, bias, data_format=None, name=None):
    x, b = _pair('bias_add', value, bias)
    if x is None:
        return lost()
    if _shapecheck.is_unknown(x._a) or _shapecheck.is_unknown(b._a):
        return make(x._a, x._d)
    axis = 1 if isinstance(data_format, str) and data_format.startswith('NC') else -1
    n, m = b._a.shape[0], x._a.shape[axis]
    if b._a.ndim != 1 or not _shapecheck.is_symbolic(n) and not _shapecheck.is_symbolic(m) and n != m:
        bad('Must provide as many biases as the last dimension of the input tensor: ' + str(b.shape) + ' vs. ' + str(x.shape))
    return make(blank(x._a), x._d)


def embedding_lookup(params, ids, max_norm=None, name=None):
    return _ops.gather(params, ids)


def l2_normalize(x, axis=None, epsilon=1e-12, name=None):
    x = convert(x)
    return lost() if x is None else make(blank(x._a), x._d)


def _losses(labels, logits):
    y, x = convert(labels), convert(logits)
    if x is None or y is None or _shapecheck.is_unknown(x._a):
        return lost()
    return make(np.empty(tuple(x._a.shape[:-1]), carrier(x._d)), x._d)


def softmax_cross_entropy_with_logits(labels, logits, axis=-1, name=None):
    return _losses(labels, logits)


def sparse_softmax_cross_entropy_with_logits(labels, logits, name=None):
    return _losses(labels, logits)


def sigmoid_cross_entropy_with_logits(labels=None, logits=None, name=None):
    a, b = _pair('sigmoid_cross_entropy_with_logits', logits, labels)
    if a is None:
        return lost()
    if not _shapecheck.is_unknown(a._a) and not _shapecheck.is_unknown(b._a) and a._a.ndim != b._a.ndim:
        raise ValueError('`logits` and `labels` must have the same shape, received (' + str(a.shape) + ' vs ' + str(b.shape) + ').')
    return make(blank(a._a), a._d)


def _two(v):
    v = [v] if isinstance(v, int) else [_number(n) for n in v]
    return (v[0], v[0]) if len(v) == 1 else (v[0], v[1]) if len(v) == 2 else (v[1], v[2])


def _window(n, k, s, d, same):
    if same:
        return (n + s - 1) // s
    return (n - (k - 1) * d - 1) // s + 1


def conv2d(input, filters, strides, padding, data_format='NHWC', dilations=None, name=None):
    x, w = _pair('conv2d', input, filters)
    if x is None or not isinstance(padding, str) or data_format != 'NHWC':
        return lost()
    if _shapecheck.is_unknown(x._a) or _shapecheck.is_unknown(w._a):
        return make(_shapecheck.unknown('a convolution'), x._d)
    if x._a.ndim != 4 or w._a.ndim != 4:
        bad('input and filters of conv2d must have rank 4')
    n, h, v, c = x._a.shape
    if not _shapecheck.is_symbolic(c) and not _shapecheck.is_symbolic(w._a.shape[2]) and c % w._a.shape[2]:
        bad('input depth must be evenly divisible by filter depth: ' + str(c) + ' vs ' + str(w._a.shape[2]))
    s, d, same = _two(strides), _two(dilations or 1), padding.upper() == 'SAME'
    return make(np.empty((n, _window(h, w._a.shape[0], s[0], d[0], same), _window(v, w._a.shape[1], s[1], d[1], same), w._a.shape[3]), carrier(x._d)), x._d)


def _pool(input, ksize, strides, padding, data_format='NHWC', name=None):
    x = convert(input)
    if x is None or _shapecheck.is_unknown(x._a) or x._a.ndim != 4 or data_format not in ('NHWC', None) or not isinstance(padding, str):
        return lost()
    k, s, same = _two(ksize), _two(strides), padding.upper() == 'SAME'
    n, h, v, c = x._a.shape
    return make(np.empty((n, _window(h, k[0], s[0], 1, same), _window(v, k[1], s[1], 1, same), c), carrier(x._d)), x._d)


max_pool2d = avg_pool2d = max_pool = avg_pool = _pool


def batch_normalization(x, mean, variance, offset, scale, variance_epsilon, name=None):
    x = convert(x)
    return lost() if x is None else make(blank(x._a), x._d)


def __getattr__(name):
    if name.startswith('__'):
        raise AttributeError(name)
    return _shapecheck.unknown('tf.nn.' + name)
