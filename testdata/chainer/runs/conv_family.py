# entry: Net()
# arg: x:f32[N,4,9,10]
# N: 1,4
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.a = L.Convolution2D(4, 6, 3, stride=2, pad=1)
            self.b = L.Convolution2D(None, 6, ksize=(1, 3))
            self.c = L.DepthwiseConvolution2D(4, 2, 3)
            self.d = L.Deconvolution2D(6, 4, 4, stride=2, pad=1)
            self.e = L.DilatedConvolution2D(None, 5, 3, dilate=2)
            self.g = L.Convolution2D(4, 8, 3, groups=4)

    def forward(self, x):
        h = self.a(x)
        return h, self.b(x), self.c(x), self.d(h), self.e(x), self.g(x)
