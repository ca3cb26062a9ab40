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

    def forward(self, x):
        opt = chainer.optimizers.AdamW(alpha=0.01, weight_decay_rate=0.1)
        opt.setup(self)
        opt.use_cleargrads()
        self.cleargrads()
        loss = F.sum(self.l(x))
        loss.backward()
        opt.update()
        opt.new_epoch()
        state = self.l.W.update_rule.state
        return loss, sorted(state), state['m'], opt.epoch, opt.t, opt.alpha, self.l.W.grad, type(self.l.W.update_rule).__name__, opt.lr
