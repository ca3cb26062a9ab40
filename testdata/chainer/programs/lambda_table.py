# entry: Net('b')
# arg: x:f32[2,5]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def __init__(self, key):
        super().__init__()
        self.table = {'a': lambda h: F.sum(h, axis=0), 'b': lambda h: F.sum(h, axis=1, keepdims=True)}
        self.key = key

    def forward(self, x):
        return self.table[self.key](x)
