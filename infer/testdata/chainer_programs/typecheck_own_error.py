# entry: run
# arg: x:f32[4,3]
import chainer
from chainer.utils import type_check
import numpy as np


class Half(chainer.Function):
    def check_type_forward(self, in_types):
        type_check.expect(in_types.size() == 1)
        x, = in_types
        type_check.expect(x.dtype.kind == 'f', x.shape[1] % 2 == 0)

    def forward(self, inputs):
        x, = inputs
        n = x.shape[1] // 2
        return x[:, :n] + x[:, n:],

    def backward(self, inputs, grads):
        g, = grads
        return np.concatenate([g, g], axis=1),


def half(x):
    return Half()(x)


def run(x):
    y = half(np.concatenate([x, x[:, :1]], axis=1))
    return half(y) + half(x)
