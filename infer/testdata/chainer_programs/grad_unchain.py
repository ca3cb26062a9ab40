# entry: Net()
# arg: x:f32[2,3]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.l = L.LSTM(3, 4)
            self.o = L.Linear(4, 1)

    def forward(self, x):
        self.l.reset_state()
        self.cleargrads()
        loss = 0
        for i in range(4):
            loss += F.sum(self.o(self.l(x)))
            if i == 1:
                loss.backward()
                loss.unchain_backward()
                loss = 0
        loss.backward()
        return self.l.upward.W.grad, self.l.lateral.W.grad, self.o.b.grad
