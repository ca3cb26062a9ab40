# entry: Net()
# arg: x:f32[4,6,3,3]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.bn = L.BatchNormalization(6)
            self.gn = L.GroupNormalization(3)
            self.ln = L.LayerNormalization()

    def forward(self, x):
        return self.bn(x), self.gn(x), self.ln(F.reshape(x, (4, -1))), F.local_response_normalization(x), self.bn.avg_mean
