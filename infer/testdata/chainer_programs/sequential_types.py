# entry: main
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np
from chainer import Variable


def main():
    a = L.Linear(3, 4)
    b = a.copy()
    c = a.copy(mode='init')
    d = chainer.Sequential(a, b, F.relu)
    d.append(L.Linear(4, 2))
    d.insert(0, lambda x: x * 2)
    e = d.repeat(2)
    r = [type(l).__name__ for l in d]
    names = sorted(n for n, _ in d.namedparams())
    d.pop()
    return r, names, len(d), len(e), a.W is b.W, a.W.array is b.W.array, c.W.shape, d(np.ones((2, 3), 'f')) if False else None
