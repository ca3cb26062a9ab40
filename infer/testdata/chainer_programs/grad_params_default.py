# entry: Net()
# arg: x:f32[2,3]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.a = L.Linear(3, 4)
            self.b = L.Linear(None, 2)

    def forward(self, x):
        before = self.a.W.grad
        self.cleargrads()
        after = self.a.W.grad
        y = F.sum(self.b(self.a(x)))
        unset = self.b.W.grad
        y.backward()
        norms = [F.sum(p.grad_var ** 2) for p in self.params()]
        return before, after, unset, norms, sorted((n, p.grad) for n, p in self.namedparams())
