# entry: forward
# arg: x:f32[2,3]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(x):
    v = chainer.Variable(x)
    w = chainer.Variable(x)
    y = F.floor(v) + F.sum(w) * 0
    loss = F.mean_squared_error(F.relu(w), F.exp(v).array)
    loss.backward()
    a = v.grad
    v.cleargrad()
    z = F.sum(F.floor(v))
    z.backward()
    return a, w.grad, v.grad, y
