# entry: Net()
# arg: x:f32[4,3]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def forward(self, x):
        keep = np.array([True, False, True, True])
        return chainer.Variable(x)[keep], x[keep, 1:]
