# entry: Net()
# arg: x:f32[5,6,7]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def forward(self, x):
        v = chainer.Variable(x)
        return v[1], v[-1, 2:], v[:, ::2, -3:], v[::-1], v[..., 0], v[4:2], v[1:100, None]
