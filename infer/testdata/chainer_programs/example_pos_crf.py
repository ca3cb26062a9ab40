# entry: CRF(6, 4)
# arg: xs=[np.array([1, 2, 3], 'i'), np.array([0, 5], 'i')]
# arg: ys=[np.array([0, 1, 2], 'i'), np.array([3, 1], 'i')]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class CRF(chainer.Chain):
    def __init__(self, n_vocab, n_pos):
        super(CRF, self).__init__()
        with self.init_scope():
            self.feature = L.EmbedID(n_vocab, n_pos)
            self.crf = L.CRF1d(n_pos)

    def forward(self, xs, ys):
        inds = np.argsort([-len(x) for x in xs]).astype(np.int32)
        xs = [xs[i] for i in inds]
        ys = [ys[i] for i in inds]
        xs = F.transpose_sequence(xs)
        ys = F.transpose_sequence(ys)
        hs = [self.feature(x) for x in xs]
        loss = self.crf(hs, ys)
        _, predict = self.crf.argmax(hs)
        return loss, predict
