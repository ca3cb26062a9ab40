# entry: MemNN(12, 20, 15, 3)
# arg: x:i32[2,15,6]
# arg: q:i32[2,6]
# arg: t:i32[2]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class BoWEncoder(object):
    def __call__(self, embed, sentences):
        xp = chainer.backend.get_array_module(sentences)
        e = embed(sentences)
        s = F.sum(e, axis=-2)
        return s


class Memory(object):
    def __init__(self, A, C, TA, TC, encoder):
        self.A = A
        self.C = C
        self.TA = TA
        self.TC = TC
        self.encoder = encoder

    def register_all(self, sentences):
        self.m = self.encoder(self.A, sentences)
        self.c = self.encoder(self.C, sentences)

    def query(self, u):
        xp = chainer.backend.get_array_module(u)
        size = self.m.shape[1]
        inds = xp.arange(size - 1, -1, -1, dtype=np.int32)
        tm = self.TA(inds)
        tc = self.TC(inds)
        tm = F.broadcast_to(tm, self.m.shape)
        tc = F.broadcast_to(tc, self.c.shape)
        p = F.softmax(F.matmul(self.m + tm, F.expand_dims(u, -1)))
        o = F.matmul(F.swapaxes(self.c + tc, 2, 1), p)
        o = F.squeeze(o, -1)
        u = o + u
        return u


class MemNN(chainer.Chain):
    def __init__(self, n_units, n_vocab, max_memory, hops):
        super(MemNN, self).__init__()
        normal = chainer.initializers.Normal()
        with self.init_scope():
            self.embeds = chainer.ChainList()
            self.temporals = chainer.ChainList()
        for _ in range(hops + 1):
            self.embeds.append(L.EmbedID(n_vocab, n_units, initialW=normal))
            self.temporals.append(L.EmbedID(max_memory, n_units, initialW=normal))
        self.memories = [Memory(self.embeds[i], self.embeds[i + 1], self.temporals[i], self.temporals[i + 1], BoWEncoder()) for i in range(hops)]
        self.B = self.embeds[0]
        self.W = lambda u: F.linear(u, self.embeds[-1].W)
        self.encoder = BoWEncoder()

    def forward(self, x, q, t):
        for memory in self.memories:
            memory.register_all(x)
        u = self.encoder(self.B, q)
        for memory in self.memories:
            u = memory.query(u)
        a = self.W(u)
        return F.softmax_cross_entropy(a, t), F.accuracy(a, t), a
