# entry: Net()
# arg: x:f32[5,N,3]
# N: 2,4
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.lstm = L.LSTM(3, 4)
            self.out = L.Linear(4, 2)

    def forward(self, x):
        self.lstm.reset_state()
        ys = [self.out(self.lstm(x[t])) for t in range(len(x))]
        return F.stack(ys), self.lstm.c, self.lstm.h
