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
            self.a = L.Linear(3, 4)
            self.b = L.Linear(4, 2)

    def forward(self, x):
        self.cleargrads()
        with chainer.no_backprop_mode():
            h = self.a(x)
        y = F.sum(self.b(h))
        y.backward()
        return self.a.W.grad, self.b.W.grad, self.b.b.grad, h.requires_grad, y.requires_grad, h.creator
