# entry: main
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np
from chainer import Variable


def main():
    m = L.Linear(2, 3)
    m.W.array[...] = 0
    m.W.array[0, 1] = 5
    m.W.data = np.ones((3, 2), 'f')
    m.b.initializer = None
    m.W.name
    x = Variable(np.array([[1., 2.]], 'f'))
    y = m(x)
    y.grad = np.ones((1, 3), 'f')
    y.backward()
    m.zerograds()
    return y, x.grad, m.W.grad, m.W.name, m.b.name, m.name, m.xp is np, m.device.xp is np, m.within_init_scope, m.local_link_hooks is not None
