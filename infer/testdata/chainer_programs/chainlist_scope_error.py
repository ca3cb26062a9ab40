# entry: main
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np
from chainer import Variable


def main():
    ls = chainer.ChainList()
    for i in range(3):
        ls.append(L.Linear(i + 1, i + 2))
    with ls.init_scope():
        ls.extra = L.Linear(2, 2)
    h = np.ones((2, 1), 'f')
    for l in ls[:3]:
        h = l(h)
    ls.add_link(L.Scale(W_shape=(4,)))
    return h, len(ls), [l.name for l in ls], sorted(n for n, _ in ls.namedparams()), ls[-1].name, ls.extra.name
