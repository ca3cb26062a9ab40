# entry: main
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np
from chainer import Variable


import os
import tempfile


def main():
    m = L.Linear(3, 4)
    p = os.path.join(tempfile.mkdtemp(), 'm.npz')
    chainer.serializers.save_npz(p, m)
    n = L.Linear(5, 4)
    chainer.serializers.load_npz(p, n)
    return n.W
