# entry: Net()
# arg: x:f32[2,6]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.a = L.Linear(3)
            self.c = L.Convolution1D(None, 4, 3)

    def forward(self, x):
        before = self.a.W.is_initialized, self.a.W.array is None, self.count_params()
        y = self.a(x)
        h = self.c(x[:, None])
        return len(before), self.a.W.is_initialized, y, h, self.count_params(), self.c.W.shape
