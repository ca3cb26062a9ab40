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
            self.l = L.Linear(4, 2)
            self.scale = chainer.Parameter(chainer.initializers.One(), (2,))
        self.add_persistent('mean', np.zeros(4, np.float32))
        self.step = 0
        self.register_persistent('step')

    def forward(self, x):
        self.mean += (x.mean(axis=0) - self.mean) * 0.1
        self.step += 1
        y = self.l(x - self.mean) * F.broadcast_to(self.scale, (len(x), 2))
        return y, self.mean, self.step, sorted(self._persistent), [p.name for p in self.params()], self.scale.shape
