# entry: Net()
# arg: x:f32[N,3,4]
# N: 2,5
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def forward(self, x):
        return (F.expand_dims(x, 1), F.squeeze(x[:1]), F.transpose(x), F.transpose(x, (1, 0, 2)), F.swapaxes(x, 0, 2), F.rollaxis(x, 2),
                F.moveaxis(x, 0, -1), F.flatten(x), F.tile(x, (2, 1, 1)), F.flip(x, 2))
