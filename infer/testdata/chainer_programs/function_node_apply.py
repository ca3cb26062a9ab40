# entry: forward
# arg: x:f32[2,3]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Scale(chainer.FunctionNode):
    def __init__(self, k):
        self.k = k

    def forward(self, inputs):
        x, = inputs
        self.retain_outputs((0,))
        return (x * self.k).astype(x.dtype), np.asarray(x.max())

    def backward(self, indexes, gy):
        return gy[0] * self.k,


def scale(x, k):
    return Scale(k).apply((x,))


def forward(x):
    y, m = scale(x, 3)
    z, = Scale(2).apply((y,))[:1]
    return y, m, z, F.sum(z), len(scale(x, 1))
