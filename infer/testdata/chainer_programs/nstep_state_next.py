# entry: Net()
# arg: a=[f32[3,2],f32[2,2]]
# arg: b=[f32[1,2],f32[1,2]]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.enc = L.NStepBiLSTM(1, 2, 3, 0.2)
            self.dec = L.NStepLSTM(1, 2, 6, 0.2)

    def forward(self, a, b):
        h, c, _ = self.enc(None, None, a)
        h = F.reshape(F.transpose(h, (1, 0, 2)), (1, len(a), -1))
        c = F.concat(F.split_axis(c, 2, axis=0), axis=2)
        h, c, y = self.dec(h, c, b)
        return h, c, F.concat(y, axis=0)
