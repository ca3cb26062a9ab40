# entry: forward
# arg: x:f32[4,5]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(x):
    v = chainer.Variable(x)
    return F.where(x > 0, v, v * 0), F.where(x > 0, x, np.zeros_like(x)), F.maximum(v, F.relu(-v)), F.clip(v, 0., 1.), v.array[x > 0].ndim
