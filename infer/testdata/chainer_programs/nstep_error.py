# entry: forward
# arg: n=2
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(n):
    xs = [np.zeros((k, 4), np.float32) for k in (5, 2)]
    xs.append(np.zeros((3, 5), np.float32))
    return L.NStepLSTM(n, 4, 6, 0.0)(None, None, xs)
