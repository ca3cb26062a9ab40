# entry: main
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np
from chainer import Variable


def main():
    a = chainer.Parameter(chainer.initializers.Normal(0.1))
    r = [a.is_initialized, a.shape, a.array is None]
    a.initialize((3, 2))
    b = chainer.Parameter(0, (4,))
    c = chainer.Parameter(np.arange(3, dtype='f'))
    a.cleargrad()
    z = F.sum(F.matmul(a, a, transb=True))
    z.backward()
    return r, a, b, c, a.grad, z, a.is_initialized, a.initializer is not None, b.array.tolist(), c.array.tolist()
