# entry: main
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np
from chainer import Variable


def main():
    opt = chainer.optimizers.Adam(alpha=0.01, beta1=0.5)
    m = chainer.Sequential(L.Linear(2, 3), L.Linear(3, 1))
    opt.setup(m)
    opt.add_hook(chainer.optimizer_hooks.WeightDecay(1e-4), name='wd')
    m[0].disable_update()
    loss = F.sum(m(np.ones((4, 2), 'f')))
    m.cleargrads()
    loss.backward()
    opt.update()
    st = m[1].W.update_rule.state
    opt.remove_hook('wd')
    opt.new_epoch()
    return opt.t, opt.epoch, sorted(st), st['m'], m[0].W.update_rule.state is None, opt.hyperparam.alpha, m[1].W.update_rule.hyperparam.beta1, m[0].update_enabled, m[1].update_enabled, opt.lr > 0
