# entry: forward
# arg: n=3
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(n):
    l = L.LSTM(4, 5)
    l(np.zeros((n, 4), np.float32))
    return l(np.zeros((n + 1, 4), np.float32))
