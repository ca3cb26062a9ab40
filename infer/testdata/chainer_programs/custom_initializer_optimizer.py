# entry: run
import chainer
import chainer.functions as F
import chainer.links as L
from chainer import initializer, optimizer
import numpy as np


class Orth(initializer.Initializer):
    def __init__(self, s=1.0, dtype=None):
        self.s = s
        super().__init__(dtype)

    def __call__(self, array):
        xp = chainer.backend.get_array_module(array)
        fan_in, fan_out = initializer.get_fans(array.shape)
        array[...] = xp.random.normal(0, self.s / np.sqrt(fan_in), array.shape)


class MyRule(optimizer.UpdateRule):
    def __init__(self, parent_hyperparam=None, lr=None):
        super().__init__(parent_hyperparam or optimizer.Hyperparameter())
        if lr is not None:
            self.hyperparam.lr = lr

    def init_state(self, param):
        xp = chainer.backend.get_array_module(param.array)
        self.state['v'] = xp.zeros_like(param.array)

    def update_core_cpu(self, param):
        g = param.grad
        if g is None:
            return
        v = self.state['v']
        v *= 0.9
        v -= self.hyperparam.lr * g
        param.array += v


class MyOpt(optimizer.GradientMethod):
    def __init__(self, lr=0.1):
        super().__init__()
        self.hyperparam.lr = lr

    lr = optimizer.HyperparameterProxy('lr')

    def create_update_rule(self):
        return MyRule(self.hyperparam)


class Hook(object):
    name = 'Lasso2'
    call_for_each_param = True
    timing = 'pre'

    def __call__(self, rule, param):
        p, g = param.array, param.grad
        if p is None or g is None:
            return
        with chainer.using_device(param.device):
            g += 1e-3 * np.sign(p)


def run():
    m = L.Classifier(chainer.Sequential(L.Linear(None, 7, initialW=Orth(0.5), initial_bias=Orth() if False else 0.1), F.relu, L.Linear(7, 3)))
    opt = MyOpt(0.05).setup(m)
    opt.add_hook(Hook())
    x, t = np.random.rand(6, 4).astype('f'), np.array([0, 1, 2, 0, 1, 2], 'i')
    for i in range(3):
        opt.update(m, x, t)
    opt.lr *= 0.5
    return m.loss, m.predictor[0].W, m.predictor[0].W.update_rule.state['v'], opt.lr, opt.t, m.predictor[2].b
