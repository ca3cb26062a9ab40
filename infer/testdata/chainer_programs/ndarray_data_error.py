# entry: run
import numpy as np
import chainer
import chainer.links as L


def run():
    l = L.Linear(3, 2)
    x = np.random.rand(4, 3).astype('f')
    y = l(x)
    y = y.data
    return y.data.astype('d')
