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
            self.a = L.Linear(6, 6, initialW=chainer.initializers.Orthogonal())
            self.b = L.Linear(6, 6, initialW=chainer.initializers.Identity(0.5), nobias=True)
            self.c = L.Linear(None, 3, initialW=np.ones((3, 6), np.float32), initial_bias=0.1)
            self.d = L.Linear(3, 2, initialW=lambda a: a.__setitem__(Ellipsis, 1))
            self.p = chainer.Parameter(chainer.initializers.LeCunUniform())
        self.p.initialize((4, 2))

    def forward(self, x):
        w = chainer.initializers.generate_array(chainer.initializers.HeNormal(), (3, 2), np)
        return self.d(self.c(self.b(self.a(x)))), self.p.shape, w, self.b.b, chainer.initializers.NaN()(w) is None
