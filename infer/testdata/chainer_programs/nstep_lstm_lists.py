# entry: Net()
# arg: xs=[f32[4,3],f32[2,3],f32[1,3]]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.rnn = L.NStepLSTM(2, 3, 5, 0.1)
            self.gru = L.NStepGRU(1, 5, 2, 0.0)
            self.bi = L.NStepBiRNNTanh(1, 2, 4, 0.0)

    def forward(self, xs):
        hy, cy, ys = self.rnn(None, None, xs)
        h2, zs = self.gru(None, ys)
        h3, ws = self.bi(None, zs)
        hs = F.concat([h[-1:] for h in ws], axis=0)
        return hy, cy, ys, h2, zs, h3, hs, self.rnn.init_hx(xs), [len(w) for w in ws], F.pad_sequence(ws)
