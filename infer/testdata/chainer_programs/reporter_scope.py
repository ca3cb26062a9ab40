# entry: Net()
# arg: x:f32[4,3]
# arg: t:i32[4]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.m = L.Classifier(L.Linear(3, 5))

    def forward(self, x, t):
        obs = {}
        rep = chainer.Reporter()
        rep.add_observer('main', self.m)
        with rep.scope(obs):
            self.m(x, t * 0)
        s = chainer.Summary()
        s.add(1.0)
        s.add(np.float32(3))
        return sorted(obs), obs['main/loss'], self.m.y, self.m.accuracy
