# entry: Net()
# arg: x:f32[2,3,227,227]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.conv = L.Convolution2D(None, 64, 3, stride=2)

    def forward(self, x):
        h = F.relu(self.conv(x))
        h = F.max_pooling_2d(h, 3, stride=2)
        return h, F.average_pooling_2d(x, ksize=3, stride=2)
