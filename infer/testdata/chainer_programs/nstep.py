# entry: forward
# arg: n=2
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(n):
    xs = [np.zeros((k, 4), np.float32) for k in (5, 2, 7)]
    out = []
    for cls in (L.NStepGRU, L.NStepBiGRU, L.NStepRNNTanh, L.NStepBiRNNReLU):
        out.append(cls(n, 4, 6, 0.0)(None, xs))
    hy, cy, ys = L.NStepBiLSTM(n, 4, 6, 0.1)(None, None, xs)
    e = L.NStepLSTM(1, 12, 3, 0.0)(None, None, ys)
    return out, hy, cy, ys, e, F.pad_sequence(ys), F.pad_sequence(ys, length=9, padding=-1)
