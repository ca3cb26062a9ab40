# entry: Net()
# arg: x:f32[2,3,8,8]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


from chainer import link_hooks


class Net(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.a = L.Convolution2D(3, 4, 3).add_hook(link_hooks.SpectralNormalization())
            self.b = L.Linear(None, 5).add_hook(link_hooks.SpectralNormalization(use_gamma=True))

    def forward(self, x):
        y = self.b(F.mean(self.a(x), axis=(2, 3)))
        return y, self.a.W_u.shape, self.b.W_u, self.b.gamma, sorted(n for n, _ in self.namedparams())
