# entry: Net()
# arg: x:f32[2,6]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def forward(self, x):
        total = 0

        def add(k):
            nonlocal total
            total += k
            return x[:, :total]
        return [add(1), add(2), add(3)]
