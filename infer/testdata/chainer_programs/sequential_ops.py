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
            self.a = chainer.Sequential(L.Linear(3, 3), F.relu)

    def forward(self, x):
        s = self.a + chainer.Sequential(F.tanh)
        s += chainer.Sequential(F.sigmoid)
        s.extend([F.exp, F.cos])
        last = s.pop()
        s.remove(F.exp)
        n = s.count_by_layer_type('relu')
        s.remove_by_layer_type('Linear')
        return s(x), len(s), last is F.cos, n, F.relu in self.a, self.a.index(F.relu)
