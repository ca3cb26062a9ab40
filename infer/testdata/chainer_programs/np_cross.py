# entry: forward
# arg: x:f32[4,3]
# arg: y:f32[4,3]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(x, y):
    return np.cross(x, y), np.cross(x[0], y), np.dot(x, y.T), np.inner(x, y), np.outer(x[0], y[0]), np.tensordot(x, y, axes=([0], [0])), np.kron(x, y), np.vdot(x, y), np.trace(x[:3])
