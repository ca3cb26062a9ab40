# entry: forward
# arg: n=2
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(n):
    with chainer.using_config('dtype', np.float16):
        l = L.Linear(3, 4)
        b = L.BatchNormalization(4)
        y = b(l(np.zeros((n, 3), np.float16)))
    with chainer.using_config('dtype', chainer.mixed16):
        m = L.Linear(3, 4)
        c = L.BatchNormalization(4)
        z = c(m(np.zeros((n, 3), np.float16)))
    return l.W, b.gamma, b.avg_mean, y, m.W, c.gamma, c.avg_mean, z, chainer.get_dtype(), F.cast(y, 'float64')
