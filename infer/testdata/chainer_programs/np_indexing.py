# entry: forward
# arg: x:f32[4,5,6]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(x):
    m = np.array([True, False, True, True])
    y = x.copy()
    y[m] = 0
    y[..., 0] += 1
    y[:, [0, 2]] *= 2
    y[1:3, ::2, None, -1] = 5
    return x[m], x[:, :, None], x[[0, 1], [2, 3]], x[..., ::-1], x[1, :, [0, 2]], x[:, m[:1].nonzero()[0]], y, x[np.ix_([0, 1], [2])], x[np.newaxis, 1, ..., None]
