# entry: forward
# arg: x:f32[4,6]
import chainer
import chainer.functions as F
import numpy as np
from chainer import cuda


def forward(x):
    xp = cuda.get_array_module(x)
    v = chainer.Variable(x)
    m = xp.arange(6).reshape(1, 6) < xp.array([1, 2, 3, 4])[:, None]
    y = v * m.astype(x.dtype)
    idx = xp.argsort(-y.array.sum(axis=1))
    z = y[idx]
    k = xp.where(m, 0, -np.inf).astype('f')
    p = F.softmax(v + k)
    eye = xp.eye(6, dtype=xp.float32)[xp.array([0, 3])]
    pos = xp.concatenate([xp.sin(xp.arange(3.)), xp.cos(xp.arange(3.))])
    b = F.broadcast_to(pos[None].astype('f'), (4, 6))
    q = F.matmul(v, eye, transb=True) + xp.float32(2) * 3.0
    w = cuda.to_cpu(v.array) + 1
    s = F.sum(v).array, int(xp.prod(xp.array(v.shape))), v.array.mean().dtype.name, xp.mean(x, axis=0)
    return m, y, idx, z, p, eye, pos, b, q, w, s, v / x.shape[0], v * xp.float64(2), x / np.float64(2), x * 2.0, (x > 0).sum(), x[m], np.bincount(xp.array([0, 1, 1])), np.cumsum(m, 1)
