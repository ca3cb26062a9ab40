# entry: forward
# arg: x:f32[4,3]
# arg: t:i32[4]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class M(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.l = L.Linear(3, 4)

    def forward(self, x, t):
        y = self.l(x)
        loss = F.softmax_cross_entropy(y, t)
        chainer.report({'loss': loss, 'acc': F.accuracy(y, t), 'n': 3}, self)
        return loss


def forward(x, t):
    m = M()
    r = chainer.Reporter()
    r.add_observer('m', m)
    with r:
        m(x, t)
    obs = {}
    with r, chainer.reporter.report_scope(obs):
        chainer.report({'k': np.float32(2)})
    s = chainer.reporter.Summary()
    s.add(1.0)
    s.add(3.0)
    ds = chainer.DictSummary()
    ds.add({'a': 1.0, 'b': 2.0})
    return sorted(r.observation), r.observation['m/loss'], r.observation['m/n'], sorted(obs), s.compute_mean(), s.make_statistics()[0] is not None, sorted(ds.compute_mean())
