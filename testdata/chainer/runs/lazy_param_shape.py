# entry: Net()
# arg: x:f32[N,3,10,10]
# N: 2,5
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.c = L.Convolution2D(None, 4, 5)
            self.d = L.Deconvolution2D(None, 2, 3)

    def forward(self, x):
        y = self.d(self.c(x))
        return y, self.c.W.shape, self.d.W
