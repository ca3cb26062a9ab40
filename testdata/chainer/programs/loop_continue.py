# entry: Net()
# arg: x:f32[7,3]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def forward(self, x):
        h = chainer.Variable(x[:0])
        for k in range(7):
            if k % 3 == 1:
                continue
            h = F.vstack([h, x[k:k + 1]])
        return h
