# entry: forward
# arg: x:f32[4,5,6]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(x):
    v = chainer.Variable(x)
    m = np.zeros((4, 5), bool)
    m[0, 1] = m[2, 3] = True
    return (v[0], v[..., 0], v[:, None], v[1:3, ::2], v[-1, :, [0, 2]], v[[0, 1]], v[np.array([0, 2]), np.array([1, 3])], v[(0, 1)], v[0, 1, 2], v[::-1], v[:, ::-1, 1:-1], F.get_item(v, (slice(None), 0)), v[np.arange(3)], v[m], len(v), [r.shape for r in v], v.T[0], v[0:0], v[..., None], v[None, ..., 0])
