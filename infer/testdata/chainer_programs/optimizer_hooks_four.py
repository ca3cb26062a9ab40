# entry: main
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np
from chainer import Variable


def main():
    l = L.Linear(3, 4)
    opt = chainer.optimizers.MomentumSGD(lr=0.1, momentum=0.8)
    opt.setup(l)
    opt.add_hook(chainer.optimizer_hooks.WeightDecay(0.01))
    opt.add_hook(chainer.optimizer_hooks.Lasso(0.01), 'l1')
    opt.add_hook(chainer.optimizer_hooks.GradientHardClipping(-1, 1))
    opt.add_hook(chainer.optimizer_hooks.GradientNoise(0.1))
    x = np.ones((2, 3), 'f')
    for i in range(3):
        loss = F.mean_squared_error(l(x), np.zeros((2, 4), 'f'))
        l.cleargrads()
        loss.backward()
        opt.update()
    opt.lr *= 0.5
    return opt.t, opt.lr, opt.momentum, opt.target is l, l.W.update_rule.state['v'], l.W.grad, sorted(opt._hooks) if False else None, opt.epoch
