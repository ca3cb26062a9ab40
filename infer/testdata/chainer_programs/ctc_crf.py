# entry: forward
# arg: T=4
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(T):
    xs = [np.random.rand(2, 5).astype('f') for _ in range(T)]
    t = np.array([[1, 2], [3, 0]], 'i')
    loss = F.connectionist_temporal_classification(xs, t, 0)
    each = F.connectionist_temporal_classification(xs, t, 0, input_length=np.array([4, 3], 'i'), label_length=np.array([2, 1], 'i'), reduce='no')
    crf = F.crf1d(np.random.rand(5, 5).astype('f'), xs, [np.zeros(2, 'i')] * T)
    score, path = F.argmax_crf1d(np.random.rand(5, 5).astype('f'), xs)
    return loss, each, crf, score, path
