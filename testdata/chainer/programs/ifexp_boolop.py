# entry: Net()
# arg: x:f32[2,3]
# arg: n=0
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def forward(self, x, n):
        k = n or 2
        axis = 0 if k > 1 and n == 0 else 1
        return F.repeat(x, k, axis=axis), not n
