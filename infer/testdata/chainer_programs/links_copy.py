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
            self.a = L.Linear(3, 3)
            self.r = chainer.Sequential(L.Linear(3, 3), F.relu).repeat(2)
            self.c = self.a.copy(mode='init')
            self.l = chainer.ChainList(*[L.Linear(3, 3) for _ in range(2)])
        self.add_link('late', L.Linear(3, 1))
        self.add_persistent('count', 0)
        self.register_persistent('count')

    def forward(self, x):
        self.count += 1
        h = self.c(self.a(x))
        h = self.r(h)
        for f in self.l:
            h = F.tanh(f(h))
        return self.late(h), self.count, self.count_params(), sorted(n for n, _ in self.namedlinks()), len(list(self.params())), [type(c).__name__ for c in self.children()]
