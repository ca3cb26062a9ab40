# entry: Net()
# arg: x:f32[1,64]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def forward(self, x):
        steps = 0
        x = F.expand_dims(x, 1)
        while x.shape[2] > 5:
            x = F.average_pooling_1d(x, 2)
            steps += 1
        return x, steps
