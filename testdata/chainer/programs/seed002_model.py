# entry: Model()
# arg: x:f32[2,3,227,227]
# arg: t:i32[2,57,57]
# reconstruction of the figure's program: the article gives these shapes for line 2
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Model(chainer.Chain):
    def __init__(self):
        super(Model, self).__init__()
        with self.init_scope():
            self.conv = L.Convolution2D(3, 64, 3, stride=2, pad=1)

    def forward(self, x, t):
        h = F.max_pooling_2d(F.relu(self.conv(x)), 3, stride=2)
        return h, F.softmax_cross_entropy(h, t)
