# entry: forward
# arg: n=4
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(n):
    return chainer.datasets.TupleDataset(np.zeros((n, 3)), np.zeros(n + 1))
