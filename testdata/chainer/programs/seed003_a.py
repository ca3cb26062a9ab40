# entry: A()
# arg: x:f32[2,5]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class A(chainer.Chain):
    def __init__(self):
        super(A, self).__init__()
        with self.init_scope():
            self.l0 = L.Linear(7)
            self.l1 = L.Linear(5)
    def g(self, y):
        return self.l1(y)
    def forward(self, x):
        x1 = self.l0(x)
        x2 = self.g(x1)
        return x2
