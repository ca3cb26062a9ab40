# entry: Scale(3)
# arg: x:f32[N,3]
# N: 2,5
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Scale(chainer.Chain):
    def __init__(self, n):
        super().__init__()
        with self.init_scope():
            self.gain = chainer.Parameter(1.0, (n,))
            self.shift = chainer.Parameter(chainer.initializers.Normal(), (1, n))

    def forward(self, x):
        g, x2 = F.broadcast(self.gain, x)
        return g * x2 + F.broadcast_to(self.shift, x.shape)
