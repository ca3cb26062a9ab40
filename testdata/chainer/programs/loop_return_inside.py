# entry: Net()
# arg: x:f32[5,4]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def forward(self, x):
        for i in range(5):
            for j in range(4):
                if i * j == 6:
                    return x[:i, :j]
        return x
