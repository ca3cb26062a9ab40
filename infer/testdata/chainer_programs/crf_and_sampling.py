# entry: main
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np
from chainer import Variable


def main():
    crf = L.CRF1d(3)
    xs = [np.random.rand(3, 3).astype('f'), np.random.rand(2, 3).astype('f'), np.random.rand(1, 3).astype('f')]
    ys = [np.array([0, 1, 2], 'i'), np.array([1, 1], 'i'), np.array([2], 'i')]
    s, p = crf.argmax(xs)
    loss = crf(xs, ys)
    c = F.connectionist_temporal_classification([np.random.rand(2, 4).astype('f') for _ in range(5)], np.array([[1, 2], [3, 1]], 'i'), 0, input_length=np.array([5, 4], 'i'))
    n = L.NegativeSampling(4, [1, 2, 3, 4], 2)(np.ones((3, 4), 'f'), np.array([0, 1, 3], 'i'))
    b = L.BlackOut(4, [1, 2, 3, 4], 3)(np.ones((3, 4), 'f'), np.array([0, 1, 3], 'i'))
    return s, [q.shape for q in p], loss, c, n, b
