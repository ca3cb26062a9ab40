# entry: forward
# arg: x:f32[4,3]
# arg: y:f64[4,3]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np
from chainer import Variable


def forward(x, y):
    v = Variable(x)
    a = v + y
    b = y * v
    c = v ** 2 + 2 ** v - 1.5 / v
    d = v // 2 if False else v @ np.ones((3, 2), 'd')
    e = F.cast(v, 'd') + y
    f = v + np.float64(3)
    g = np.float32(2) * v
    h = Variable(y) * 2
    return a, b, c, d, e, f, g, h, v / np.int64(2), v * True
