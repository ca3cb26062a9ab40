# entry: run
# arg: x:f32[4,3]
import chainer
import chainer.functions as F
import chainer.links as L
from chainer import function_hooks, link_hooks
import numpy as np


class ShapeHook(chainer.FunctionHook):
    name = 'ShapeHook'

    def __init__(self):
        self.log = []

    def forward_preprocess(self, function, in_data):
        self.log.append((function.label, [None if i is None else i.shape for i in in_data]))

    def backward_postprocess(self, function, in_data, out_grad):
        pass


class CountLinks(chainer.LinkHook):
    name = 'Count'

    def __init__(self):
        self.n = {}

    def forward_postprocess(self, args):
        k = type(args.link).__name__
        self.n[k] = self.n.get(k, 0) + 1


def run(x):
    net = chainer.Sequential(L.Linear(3, 5), L.BatchNormalization(5), F.relu, L.Linear(5, 2))
    hook, cl = ShapeHook(), CountLinks()
    with hook, cl:
        y = net(x)
    with chainer.using_config('dtype', np.float16):
        l = L.Linear(3, 4)
        z = l(x.astype('e'))
        dt = chainer.get_dtype()
    with chainer.using_config('train', False):
        t = chainer.config.train
        w = F.dropout(x, 0.5)
    with chainer.using_config('enable_backprop', False):
        v = net(x)
    chainer.config.my_own = 3
    with chainer.using_config('my_own', 4):
        mine = chainer.config.my_own
    a = chainer.config.my_own
    del chainer.config.my_own
    has = hasattr(chainer.config, 'my_own')
    sn = L.Convolution2D(3, 4, 3, pad=1)
    sn.add_hook(link_hooks.SpectralNormalization())
    s = sn(np.zeros((2, 3, 6, 6), 'f'))
    wsn = L.Linear(3, 4).add_hook(link_hooks.WeightStandardization())
    with function_hooks.TimerHook() as timer:
        q = wsn(x)
    return y, hook.log, cl.n, z, str(dt), t, w, v.creator is None, mine, a, has, s, q, len(timer.call_history)
