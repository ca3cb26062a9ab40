# entry: Net()
# arg: x:f32[4,6,5,5]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.a = L.BatchNormalization(6)
            self.b = L.BatchRenormalization(6)
            self.c = L.GroupNormalization(3)
            self.d = L.LayerNormalization(150)
            self.e = L.DecorrelatedBatchNormalization(6, 2)
            self.f = L.BatchNormalization(axis=(0, 1), use_beta=False)
            self.g = L.BatchNormalization((6, 5), axis=(0, 2)) if False else L.BatchNormalization((6, 5, 5))

    def forward(self, x):
        a = self.a(x)
        with chainer.using_config('train', False):
            a2 = self.a(x)
        b = self.b(x)
        return a, a2, b, self.c(x), self.d(F.reshape(x, (4, -1))), self.e(x), self.f(x), self.g(x), self.a.avg_mean, self.a.N, self.f.gamma, hasattr(self.f, 'beta'), F.local_response_normalization(x), F.normalize(x, axis=(1, 2))
