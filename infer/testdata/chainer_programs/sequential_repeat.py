# entry: Net()
# arg: x:f32[5,6]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def __init__(self):
        super().__init__()
        block = chainer.Sequential(L.Linear(None, 8), L.BatchNormalization(8), F.relu)
        with self.init_scope():
            self.blocks = block.repeat(3)
            self.head = chainer.Sequential(L.Linear(8, 4), lambda h: F.softmax(h, axis=1))
            self.shared = chainer.Sequential(L.Linear(4, 4)).repeat(2, mode='share')

    def forward(self, x):
        h = self.blocks(x)
        y = self.shared(self.head(h))
        self.head.append(F.tanh)
        self.head.insert(0, F.sigmoid)
        flat = self.blocks.flatten()
        return h, y, self.head(h), len(self.blocks), len(flat), len(self.head), [n for n, _ in self.blocks.namedparams()], self.blocks[0][0] is self.blocks[1][0]
