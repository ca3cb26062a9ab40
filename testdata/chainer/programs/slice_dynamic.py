# entry: Net()
# arg: x:f32[5,6]
# arg: n=4
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def forward(self, x, n):
        a = x[:n // 2, n - 3:n]
        s = slice(1, None, n - 2)
        return a, x[s], x[(0, s)]
