# entry: run
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Attention(chainer.Chain):
    def __init__(self, n_units):
        super().__init__()
        with self.init_scope():
            self.w = L.Linear(n_units, n_units)

    def forward(self, hs, ys):
        # hs, ys: lists of (T, D)
        out = []
        for h, y in zip(hs, ys):
            s = F.matmul(self.w(y), h, transb=True)
            a = F.softmax(s, axis=1)
            out.append(F.matmul(a, h))
        return out


class PadAttention(chainer.Chain):
    def forward(self, hs, q):
        lens = [h.shape[0] for h in hs]
        block = F.pad_sequence(hs, padding=0.)
        mask = self.xp.zeros(block.shape[:2], 'bool')
        for i, n in enumerate(lens):
            mask[i, :n] = True
        s = F.batch_matmul(block, F.expand_dims(q, 2))[:, :, 0]
        s = F.where(mask, s, self.xp.full(s.shape, -np.inf, s.dtype))
        a = F.softmax(s)
        c = F.sum(F.scale(block, a, axis=0), axis=1)
        return c, a


class Model(chainer.Chain):
    def __init__(self, v, n):
        super().__init__()
        with self.init_scope():
            self.ex = L.EmbedID(v, n)
            self.enc = L.NStepBiGRU(1, n, n // 2, 0.1)
            self.dec = L.NStepGRU(1, n, n, 0.1)
            self.att = Attention(n)
            self.patt = PadAttention()
            self.out = L.Linear(None, v)

    def forward(self, xs, ys):
        exs = [self.ex(x) for x in xs]
        eys = [self.ex(y) for y in ys]
        h, hs = self.enc(None, exs)
        h0 = F.concat(list(h), axis=1)[None]
        _, os = self.dec(h0, eys)
        cs = self.att(hs, os)
        y = self.out(F.concat([F.concat(pair, axis=1) for pair in zip(os, cs)], axis=0))
        c, a = self.patt(hs, h0[0])
        return y, c, a, h0, F.split_axis(y, np.cumsum([len(k) for k in ys])[:-1], axis=0)


def run():
    m = Model(20, 8)
    xs = [np.zeros(n, 'i') for n in (4, 2, 5)]
    ys = [np.zeros(n, 'i') for n in (3, 6, 1)]
    return m(xs, ys), m.out.W, m.enc[0].w0, sorted(dict(m.enc.namedparams()))[:3], m.enc.rnn_type if hasattr(m.enc, 'rnn_type') else None
