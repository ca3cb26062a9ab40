# entry: Net(True)
# arg: x:f32[2,3]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def __init__(self, deep):
        super().__init__()
        self.deep = deep
        with self.init_scope():
            self.a = L.Linear(3, 4)
            if deep:
                self.b = L.Linear(4, 5)

    def forward(self, x):
        h = self.a(x)
        if self.deep:
            h = self.b(h)
        return h
