# entry: Net()
# arg: x:f32[4,3]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Block(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.l = L.Linear(3, 5)

    def __call__(self, x):
        return F.relu(self.l(x))


class Net(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.b = Block()

    def __call__(self, x):
        return self.b(x)
