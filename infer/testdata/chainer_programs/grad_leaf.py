# entry: forward
# arg: x:f32[2,3]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(x):
    v = chainer.Variable(x)
    w = chainer.Variable(np.ones((3, 4), np.float32))
    before = v.grad
    h = F.matmul(v, w)
    loss = F.sum(h ** 2)
    loss.backward()
    return before, v.grad, w.grad, h.grad, loss.grad, v.grad_var
