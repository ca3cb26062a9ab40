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
        y = self.l(x)
        loss = F.mean(y ** 2)
        chainer.report({'loss': loss, 'size': len(x)}, self)
        rep = chainer.Reporter()
        rep.add_observer('net', self)
        with rep:
            chainer.report({'loss': loss}, self)
            with chainer.reporter.report_scope({}):
                chainer.report({'inner': loss}, self)
        s = chainer.DictSummary()
        s.add({'a': 1.0, 'b': (2.0, 3)})
        s.add({'a': 3.0, 'b': (1.0, 1)})
        return loss, rep.observation['net/loss'], sorted(s.compute_mean()), s.compute_mean()['a']
