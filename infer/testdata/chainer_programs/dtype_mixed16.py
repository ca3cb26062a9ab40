# entry: Net()
# arg: x:f16[2,3]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def __init__(self):
        super().__init__()
        with chainer.using_config('dtype', chainer.mixed16), self.init_scope():
            self.l = L.Linear(3, 4)
            self.bn = L.BatchNormalization(4)

    def forward(self, x):
        y = self.bn(self.l(x))
        return y, self.l.W.dtype, self.bn.gamma.dtype, self.bn.avg_mean.dtype, F.softmax_cross_entropy(y, np.zeros(2, 'i')), F.cast(y, np.float32), (y * 2).dtype
