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
            self.l = L.Linear(3, 4)

    def forward(self, x):
        self.cleargrads()
        loss = F.sum(self.l(x) ** 2)
        loss.backward()
        return loss, self.l.W.grad, self.l.b.grad_var
