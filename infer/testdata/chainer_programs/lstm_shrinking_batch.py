# entry: Net()
# arg: x:f32[4,3]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.l = L.LSTM(3, 2)
            self.s = L.StatelessLSTM(3, 2)

    def forward(self, x):
        a = self.l(x)
        b = self.l(x[:2])
        c, h = self.s(None, None, x)
        c, h = self.s(c, h, x)
        t = self.l.h
        self.l.set_state(c[:1], h[:1])
        return a, b, c, h, t, self.l(x[:1]), self.l.c
