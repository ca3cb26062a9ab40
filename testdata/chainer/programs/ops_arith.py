# entry: Net()
# arg: x:f32[2,3]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def forward(self, x):
        v = chainer.Variable(x)
        return v + 1, 2 - v, v * x, v / 2, v ** 2, -v, abs(v), v @ x.T, 1.5 // (v + 1)
