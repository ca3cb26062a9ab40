# entry: Discriminator()
# arg: x:f32[4,3,32,32]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def add_noise(h, sigma=0.2):
    xp = chainer.backend.get_array_module(h.data)
    if chainer.config.train:
        return h + sigma * xp.random.randn(*h.shape)
    return h


class Discriminator(chainer.Chain):
    def __init__(self, ch=64):
        super(Discriminator, self).__init__()
        with self.init_scope():
            self.c0 = L.Convolution2D(3, ch // 8, 3, 1, 1)
            self.bn = L.BatchNormalization(ch // 8, use_gamma=False)
            self.l = L.Linear(None, 1)

    def forward(self, x):
        h = add_noise(x)
        h = F.leaky_relu(add_noise(self.c0(h)))
        return self.l(self.bn(h))
