# entry: forward
# arg: x:f32[2,3]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(x):
    v = chainer.Variable(x)
    w = chainer.Variable(x[0])
    u = chainer.Variable(x[1])
    y = F.sum(F.tanh(v) * F.broadcast_to(w, v.shape))
    gs = chainer.grad([y], [v, w, u])
    penalty = F.sum(chainer.grad([y], [v], enable_double_backprop=True)[0] ** 2)
    return gs, penalty
