# entry: forward
# arg: n=3
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(n):
    x = np.zeros((n, 4), np.float32)
    outs = []
    for cls in (L.StatefulGRU, L.StatefulMGU, L.StatefulPeepholeLSTM, L.StatefulZoneoutLSTM):
        m = cls(4, 5)
        m(x)
        outs.append(m(x))
    l = L.LSTM(None, 5)
    l(x)
    y = l(x[:2])
    z = L.StatelessGRU(4, 5)(np.zeros((n, 5), np.float32), x)
    c, h = L.StatelessLSTM(None, 5)(None, None, x)
    t = L.ChildSumTreeLSTM(4, 5)(c, c, h, h, x)
    return outs, y, l.h.shape, l.c, z, c, h, t
