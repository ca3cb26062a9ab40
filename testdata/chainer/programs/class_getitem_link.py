# entry: Net()
# arg: x:f32[2,4]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.a = L.Linear(4, 6)
            self.b = L.Linear(6, 2)

    def forward(self, x):
        for name in ('a', 'b'):
            x = self[name](x)
        return x
