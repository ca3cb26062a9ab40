# entry: forward
# arg: x:f32[2,8,6]
import chainer
import chainer.functions as F
import numpy as np


def squash(s, axis):
    n2 = F.sum(s * s, axis=axis, keepdims=True)
    scale = n2 / (1 + n2) / F.sqrt(n2 + 1e-9)
    return s * F.broadcast_to(scale, s.shape)


def forward(x):
    W = chainer.Parameter(chainer.initializers.Normal(0.1), (8, 3, 4, 6))
    u = F.broadcast_to(F.expand_dims(F.expand_dims(x, 2), 2), (2, 8, 3, 4, 6))
    u = F.sum(u * F.broadcast_to(W, u.shape), axis=-1)
    b = np.zeros((2, 8, 3), 'f')
    for _ in range(3):
        c = F.softmax(b, axis=2)
        s = F.sum(F.broadcast_to(F.expand_dims(c, 3), u.shape) * u, axis=1)
        v = squash(s, 2)
        a = F.sum(u * F.broadcast_to(F.expand_dims(v, 1), u.shape), axis=-1)
        b = b + a
    return v, F.sqrt(F.sum(v ** 2, axis=-1)), b
