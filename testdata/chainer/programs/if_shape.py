# entry: Net()
# arg: x:f32[2,3,4]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def forward(self, x):
        if x.ndim == 3 and x.shape[2] % 2 == 0:
            x = x.reshape(x.shape[0], -1)
        elif x.ndim == 2:
            x = x.T
        return x
