# entry: Net()
# arg: x:f32[2,4,6]
# arg: i:i32[2,3]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.hw = L.Highway(24)
            self.mo = L.Maxout(24, 5, 3)
            self.pr = L.PReLU((4,))
            self.sw = L.Swish((4, 6))
            self.sc = L.Scale(1, (4,), bias_term=True)
            self.bi = L.Bilinear(3, 4, 5)
            self.em = L.EmbedID(10, 3, ignore_label=-1)
            self.bs = L.Bias(axis=1, shape=(4,))
            self.tr = L.Tree if False else L.Inception(4, 1, 2, 3, 4, 5, 6)

    def forward(self, x, i):
        f = x.reshape(2, -1)
        return self.hw(f), self.mo(f), self.pr(x), self.sw(x), self.sc(x), self.bi(x[:, 0, :3], x[:, 1, :4]), self.em(i), self.bs(x), self.tr(x[:, :, :, None]), L.Parameter(np.ones(3, 'f'))(), self.em.W.shape
