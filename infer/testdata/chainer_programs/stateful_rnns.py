# entry: Net()
# arg: x:f32[3,4]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.lstm = L.StatefulPeepholeLSTM(4, 5)
            self.gru = L.StatefulGRU(5, 6)
            self.z = L.StatefulZoneoutLSTM(6, 2)
            self.m = L.StatefulMGU(2, 3)

    def forward(self, x):
        for _ in range(2):
            h = self.lstm(x)
            g = self.gru(h)
            z = self.z(g)
            y = self.m(z)
        c = self.lstm.c
        self.lstm.reset_state()
        self.gru.set_state(chainer.Variable(np.zeros((3, 6), 'f')))
        return h, g, z, y, c, self.lstm.h is None, self.gru(h), self.m.h
