# entry: Net()
# arg: x:f32[4,6]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.mu = L.Linear(6, 3)
            self.ln_var = L.Linear(6, 3)

    def forward(self, x):
        m, v = self.mu(x), self.ln_var(x)
        z = F.gaussian(m, v)
        return z, F.gaussian_kl_divergence(m, v), F.gaussian_kl_divergence(m, v, reduce='no')
