# entry: Net()
# arg: x:f32[3,5]
# arg: t:i32[3]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.e = L.EmbedID(10, 5, ignore_label=-1)
            self.b = L.Bilinear(5, 5, 4)
            self.m = L.Maxout(5, 3, 2)
            self.h = L.Highway(5)
            self.i = L.InceptionBN(None, 1, 1, 1, 1, 1, 'max', 1) if False else L.Linear(5)
            self.hs = L.BinaryHierarchicalSoftmax(5, ((0, 1), (2, (3, 4))))
            self.ns = L.NegativeSampling(5, [1, 2, 3], 2)
            self.bo = L.BlackOut(5, [1, 2, 3, 4], 2)
            self.crf = L.CRF1d(5)
            self.p = L.Parameter(np.zeros((2, 2), 'f'))
            self.s = L.Scale(1, (5,), True)
            self.bi = L.Bias(1, (5,))
            self.sw = L.SimplifiedDropconnect(5, 4)
            self.tr = L.ChildSumTreeLSTM(5, 4)
            self.nt = L.NaryTreeLSTM(5, 4, 2)
            self.zo = L.StatefulZoneoutLSTM(5, 4)
            self.pe = L.StatefulPeepholeLSTM(5, 4)
            self.mg = L.StatefulMGU(5, 4)
            self.gr = L.StatefulGRU(5, 4)
            self.sl = L.StatelessLSTM(5, 4)
            self.sg = L.StatelessGRU(5, 4)

    def forward(self, x, t):
        e = self.e(t)
        c, h = self.tr(None, None, x)
        c2, h2 = self.nt(c, c, h, h, x)
        c3, h3 = self.sl(None, None, x)
        return (e, self.b(x, x), self.m(x), self.h(x), self.i(x), self.hs(x, t), self.ns(x, t), self.bo(x, t), self.crf([x], [t]), self.p(), self.s(x), self.bi(x), self.sw(x),
                c, h, c2, h2, self.zo(x), self.pe(x), self.mg(x), self.gr(x), c3, h3, self.sg(h3, x))
