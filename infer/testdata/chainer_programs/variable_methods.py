# entry: forward
# arg: x:f32[2,3,4]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(x):
    v = chainer.Variable(x, name='v')
    w = v.reshape(2, 12)
    w2 = v.reshape((2, -1))
    t = v.transpose(2, 0, 1)
    u = v.transpose()
    return (w, w2, t, u, v.T, v[0], v[:, ::-1], v[..., None], F.mean(v), F.sum(v, axis=(0, 2)), v.size, v.ndim, v.dtype, v.name, len(v), v.label, v.rank, v.xp is np, v.item() if v.size == 1 else None,
            v.summary() if False else 0, -v, abs(v), v ** 2, 2 ** v, v @ v.transpose(0, 2, 1), v.copydata(v), v.debug_print() is not None, bool(chainer.Variable(np.array(1.0))), v.array.dtype, v.grad, v.creator, v.node.rank)
