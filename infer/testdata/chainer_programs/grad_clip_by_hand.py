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
            self.l = L.Linear(3, 5)

    def forward(self, x, t):
        opt = chainer.optimizers.Adam()
        opt.setup(self)
        opt.add_hook(chainer.optimizer_hooks.GradientClipping(5.0))
        opt.add_hook(chainer.optimizer_hooks.WeightDecay(1e-4))
        loss = F.softmax_cross_entropy(self.l(x), t * 0)
        self.cleargrads()
        loss.backward()
        sq = [np.sum(p.grad ** 2) for p in self.params()]
        for p in self.params():
            p.grad *= 0.5
        opt.update()
        return loss, [s.dtype.name for s in sq], self.l.W.grad, opt.t
