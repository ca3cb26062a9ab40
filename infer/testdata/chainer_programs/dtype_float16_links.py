# entry: main
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np
from chainer import Variable


def main():
    with chainer.using_config('dtype', np.float16):
        l = L.Linear(3, 2)
        c = L.Convolution2D(3, 2, 3)
        r = L.NStepGRU(1, 3, 4, 0.)
        e = L.EmbedID(4, 3)
        b = L.BatchNormalization(3)
        y = b(l(np.ones((2, 3), np.float16))[:, [0, 1, 1]])
    return l.W.dtype, c.W.dtype, r[0].w0.dtype, e.W.dtype, b.gamma.dtype, y
