# entry: A()
# arg: x:f32[2,7]
# the seed's A calls B(5, 3.1) and B(4, 4.2); the second gets 5 features, so its Linear(None, 4) makes W (4, 5)
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class B(chainer.Chain):
    def __init__(self, n_out, p):
        super(B, self).__init__()
        with self.init_scope():
            self.l = L.Linear(None, n_out)
            self.p = p

    def forward(self, x):
        x = self.l(x) * self.p
        return x
class A(chainer.Chain):
    def __init__(self):
        super(A, self).__init__()
        with self.init_scope():
            self.l0 = L.Linear(3)
            self.l1 = B(5, np.float32(3.1))
            self.l2 = B(4, np.float32(4.2))

    def forward(self, x):
        x = self.l0(x)
        x = self.l1(x) + self.l2.p
        x = self.l2(x) + self.l1.p
        return x
