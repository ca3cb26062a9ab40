# entry: Net(5)
# arg: x:f32[5,4]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def __init__(self, n):
        super().__init__()
        self.table = np.sin(np.arange(n)[:, None] / np.power(10000.0, np.arange(4) / 4)).astype(np.float32)

    def forward(self, x):
        return x + self.table, np.ceil(np.array(x.shape, dtype='f') / 2).astype(int), np.full((2, 2), 3)
