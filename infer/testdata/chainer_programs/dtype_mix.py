# entry: forward
# arg: x:f32[4,6]
import chainer
import chainer.functions as F
import numpy as np


def forward(x):
    v = chainer.Variable(x)
    h = x.astype('f2')
    d = x.astype('d')
    out = [v + d, v * 2, 2.5 * v, v / np.float64(3), v - np.int32(2), v ** 2, 2 ** v, v + h, d + v if False else None, -v, abs(v), v.T, F.cast(v, 'e') * h, v // 2,
           F.add(v, v, v), F.maximum(v, v), F.where(x > 0.5, v, v), v @ np.ones((6, 2), 'f'), F.matmul(h, h, transb=True)]
    for f in (lambda: v + chainer.Variable(d), lambda: F.concat([v, chainer.Variable(d)]), lambda: F.matmul(v, d.T), lambda: F.maximum(v, d), lambda: F.stack([v, d]), lambda: v > 1, lambda: bool(v > 0)):
        try:
            out.append(f())
        except Exception as e:
            out.append(type(e).__name__)
    return out
