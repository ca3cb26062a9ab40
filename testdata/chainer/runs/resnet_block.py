# entry: Block(8, 16, 2)
# arg: x:f32[N,8,9,9]
# N: 2,5
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Block(chainer.Chain):
    def __init__(self, n_in, n_out, stride):
        super().__init__()
        self.project = n_in != n_out or stride != 1
        init = chainer.initializers.HeNormal()
        with self.init_scope():
            self.c1 = L.Convolution2D(n_in, n_out, 3, stride, 1, nobias=True, initialW=init)
            self.b1 = L.BatchNormalization(n_out)
            self.c2 = L.Convolution2D(n_out, n_out, 3, 1, 1, True, init)
            self.b2 = L.BatchNormalization(n_out)
            if self.project:
                self.c3 = L.Convolution2D(n_in, n_out, 1, stride, 0, True)

    def forward(self, x):
        h = F.relu(self.b1(self.c1(x)))
        h = self.b2(self.c2(h))
        short = self.c3(x) if self.project else x
        return F.relu(h + short)
