# entry: Net()
# arg: x:f32[2,4,9,9]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.a = L.Convolution2D(4, 6, (3, 5), stride=(1, 2), pad=(1, 2), dilate=1, groups=2)
            self.b = L.DilatedConvolution2D(None, 5, 3, 1, 2, 2)
            self.c = L.Deconvolution2D(None, 3, 4, stride=2, pad=1, outsize=(18, 10))
            self.d = L.DepthwiseConvolution2D(None, 3, 3, 1, 1)
            self.e = L.DeformableConvolution2D(None, 4, 3, pad=1)
            self.f = L.LocalConvolution2D(None, 2, (18, 10), 3)
            self.g = L.ConvolutionND(3, 1, 2, 3)
            self.h = L.DeconvolutionND(1, 2, 3, 4, stride=2)
            self.i = L.MLPConvolution2D(None, (5, 6), 1)
            self.j = L.Convolution1D(4, 3, 2)
            self.k = L.Deconvolution3D(2, 1, 2)

    def forward(self, x):
        a = self.a(x)
        b = self.b(a)
        c = self.c(b)
        d = self.d(c)
        e = self.e(d)
        f = self.f(c)
        g = self.g(F.expand_dims(x, 1))
        h = self.h(F.reshape(x, (4, 2, -1)))
        return a, b, c, d, e, f, g, h, self.i(x), self.j(F.reshape(x, (2, 4, -1))), self.k(g)
