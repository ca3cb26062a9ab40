# entry: main
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np
from chainer import Variable


def main():
    it = chainer.iterators.SerialIterator(list(range(4)), 3, repeat=False, shuffle=False)
    a = next(it)
    b = next(it)
    c = next(it)
    return a, b, c
