# entry: forward
# arg: x:f32[2,3]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(x):
    v = chainer.Variable(x, requires_grad=False)
    w = chainer.Variable(x)
    i = chainer.Variable(np.zeros((2, 3), np.int32))
    y = F.sum(v * w)
    y.backward()
    return v.requires_grad, F.relu(v).requires_grad, F.relu(x).requires_grad, y.requires_grad, v.grad, w.grad, i.requires_grad
