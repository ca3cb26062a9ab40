# entry: main
# arg: x:f32[2,5]
import os
import tempfile

import chainer
import chainer.links as L
from chainer import serializers


class MLP(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.l1 = L.Linear(None, 8)
            self.bn = L.BatchNormalization(8)

    def forward(self, x):
        return self.bn(self.l1(x))


def main(x):
    model, again = MLP(), MLP()
    model(x)
    folder = tempfile.mkdtemp()
    serializers.save_npz(os.path.join(folder, 'model.npz'), model)
    serializers.load_npz(os.path.join(folder, 'model.npz'), again)
    summary = chainer.reporter.Summary()
    summary.add(1.)
    summary.add(2., weight=3)
    return again.l1.W, again.l1.W.shape, again.bn.avg_mean, again.bn.N, summary.compute_mean(), summary.make_statistics()
