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
            self.l = L.Linear(3, 2)

    def forward(self, x):
        self.to_cpu()
        self.to_device('@numpy')
        v = chainer.Variable(x)
        v.to_cpu()
        return self.l(v), self.xp is np, self.device.xp is np, v.xp is np, chainer.cuda.available, chainer.backends.cuda.to_cpu(x), chainer.as_array(v), chainer.as_variable(x).requires_grad
