# entry: Net()
# arg: x:f32[4,6]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def forward(self, x):
        a, b = F.split_axis(x, 2, 1)
        c = F.split_axis(x, [1, 3], axis=1)
        d = F.separate(x, axis=0)
        e = F.split_axis(x, 1, 0, force_tuple=False)
        return a, b, c, d, e
