# entry: forward
# arg: x:f32[4,3]
import chainer
import chainer.functions as F
import chainer.links as L
from chainer import optimizer_hooks


class Note(object):
    name = 'Note'
    call_for_each_param = True
    timing = 'pre'

    def __init__(self):
        self.seen = []

    def __call__(self, rule, param):
        self.seen.append((param.name, param.shape))


def forward(x):
    net = L.Linear(3, 2)
    opt = chainer.optimizers.SGD()
    opt.setup(net)
    h = Note()
    opt.add_hook(h)
    opt.add_hook(optimizer_hooks.Lasso(0.1))
    opt.add_hook(optimizer_hooks.GradientNoise(0.3))
    opt.add_hook(optimizer_hooks.GradientHardClipping(-1, 1))
    opt.add_hook(optimizer_hooks.GradientLARS())
    loss = F.sum(net(x))
    net.cleargrads()
    loss.backward()
    opt.update()
    opt.remove_hook('Lasso')
    return sorted(h.seen)
