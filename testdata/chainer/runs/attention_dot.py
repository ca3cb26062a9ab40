# entry: Att(4, 3, 5)
# arg: hs=[f32[3,4], f32[2,4]]
# arg: z=None
# N: 1
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Att(chainer.Chain):
    def __init__(self, n_enc, n_dec, n_att):
        super().__init__()
        self.n_dec = n_dec
        with self.init_scope():
            self.enc = L.Linear(n_enc, n_att)
            self.dec = L.Linear(n_dec, n_att)

    def forward(self, hs, z):
        e = F.pad_sequence(hs)
        n, t, d = e.shape
        keys = F.tanh(self.enc(e, n_batch_axes=2))
        if z is None:
            z = np.zeros((n, self.n_dec), 'f')
        query = F.broadcast_to(F.expand_dims(F.tanh(self.dec(z)), 1), keys.shape)
        w = F.softmax(F.sum(keys * query, axis=2) * 2.0)
        context = F.sum(e * F.broadcast_to(F.expand_dims(w, 2), e.shape), axis=1)
        return context, w
