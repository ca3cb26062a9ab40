# entry: Net()
# arg: x:f32[N,3,16,24]
# N: 1,4
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.down = L.Convolution2D(3, 6, 4, 2, 1)
            self.up = L.Deconvolution2D(6, 3, 4, 2, 1)
            self.out = L.Convolution2D(6, 2, 3, 1, 1)

    def forward(self, x):
        d = F.leaky_relu(self.down(x))
        u = F.relu(self.up(d))
        return self.out(F.concat([u, x]))
