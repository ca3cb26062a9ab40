# entry: Net(4)
# arg: x:f32[2,8]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Sized:
    @property
    def half(self):
        return self.n // 2

    @staticmethod
    def twice(h):
        return F.concat([h, h])

    @classmethod
    def make(cls, n):
        return cls(n)


class Net(Sized, chainer.Chain):
    def __init__(self, n):
        chainer.Chain.__init__(self)
        self.n = n
        with self.init_scope():
            self.fc = L.Linear(8, n)

    def forward(self, x):
        return self.twice(self.fc(x))[:, self.half:]
