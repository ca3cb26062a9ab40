# entry: Net()
# arg: x:f32[N,3]
# N: 2,5
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def __init__(self):
        super().__init__()
        self.n = 2

    def forward(self, x):
        if hasattr(self, 'm'):
            return x
        return F.split_axis(x, getattr(self, 'm', [1, self.n]), 1)
