# entry: main
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np
from chainer import Variable


import os
import tempfile


def main():
    m = chainer.Sequential(L.Linear(3, 4), L.BatchNormalization(4), L.Linear(4, 2))
    m(np.random.rand(5, 3).astype('f'))
    d = tempfile.mkdtemp()
    p = os.path.join(d, 'm.npz')
    chainer.serializers.save_npz(p, m)
    n = chainer.Sequential(L.Linear(None, 4), L.BatchNormalization(4), L.Linear(None, 2))
    chainer.serializers.load_npz(p, n)
    with np.load(p) as f:
        keys = sorted(f.files)
        w = f['0/W']
    return keys, w, n[0].W, n[1].avg_mean, n[1].N, n[2].b
