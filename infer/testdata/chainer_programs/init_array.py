# entry: forward
# arg: x:f32[2,3]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(x):
    l = L.Linear(3, 4, initialW=np.zeros((4, 3), np.float64), initial_bias=np.zeros(4, np.float16))
    m = L.Linear(None, 4, initialW=np.zeros((4, 3), np.float32))
    c = L.Convolution2D(3, 4, 3, initialW=np.zeros((4, 3, 3, 3)), initial_bias=np.ones(4))
    e = L.EmbedID(5, 2, initialW=np.zeros((5, 2), np.float64))
    k = L.Linear(3, 4, initialW=2)
    b = L.Linear(3, 4, initialW=chainer.initializers.Normal(dtype=np.float16), initial_bias=chainer.initializers.Zero(dtype=np.float16))
    return l.W, l.b, m.W.array, m(x), c.W, c.b, e.W, k.W, b.W, b.b, b(x.astype(np.float16))
