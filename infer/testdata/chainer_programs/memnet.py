# entry: run
import chainer
from chainer import initializers
import chainer.functions as F
import chainer.links as L
import numpy


def bow_encode(embed, sentences):
    return F.sum(embed(sentences), axis=-2)


def position_encode(embed, sentences):
    xp = embed.xp
    e = embed(sentences)
    ndim = e.ndim
    n_words, n_units = e.shape[-2:]
    length = xp.maximum(xp.sum((sentences != 0).astype(xp.float32), axis=-1), 1)
    length = length.reshape((length.shape + (1, 1)))
    k = xp.arange(1, n_units + 1, dtype=numpy.float32) / n_units
    i = xp.arange(1, n_words + 1, dtype=numpy.float32)[:, None]
    coeff = (1 - i / length) - k * (1 - 2.0 * i / length)
    e = coeff * e
    return F.sum(e, axis=(ndim - 2))


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
        inds = xp.arange(size - 1, -1, -1, dtype=numpy.int32)
        tm = self.TA(inds)
        tc = self.TC(inds)
        tm = F.broadcast_to(tm, self.m.shape)
        tc = F.broadcast_to(tc, self.c.shape)
        p = F.softmax(F.matmul(self.m + tm, F.expand_dims(u, -1)))
        o = F.matmul(F.swapaxes(self.c + tc, 2, 1), p)
        o = o[:, :, 0]
        return o + u


class MemNN(chainer.Chain):
    def __init__(self, n_units, n_vocab, encoder, max_memory, hops):
        super(MemNN, self).__init__()
        normal = initializers.Normal()
        with self.init_scope():
            self.embeds = chainer.ChainList()
            self.temporals = chainer.ChainList()
        for _ in range(hops + 1):
            self.embeds.append(L.EmbedID(n_vocab, n_units, initialW=normal))
            self.temporals.append(L.EmbedID(max_memory, n_units, initialW=normal))
        self.memories = [Memory(self.embeds[i], self.embeds[i + 1], self.temporals[i], self.temporals[i + 1], encoder) for i in range(hops)]
        self.B = self.embeds[0]
        self.W = lambda u: F.linear(u, self.embeds[-1].W)
        self.encoder = encoder
        self.n_units = n_units
        self.max_memory = max_memory
        self.hops = hops

    def fix_ignore_label(self):
        for embed in self.embeds:
            embed.W.array[0, :] = 0

    def register_all(self, sentences):
        for memory in self.memories:
            memory.register_all(sentences)

    def query(self, question):
        u = self.encoder(self.B, question)
        for memory in self.memories:
            u = memory.query(u)
        return self.W(u)

    def forward(self, sentences, question):
        self.register_all(sentences)
        return self.query(question)


def run():
    out = []
    for enc in (bow_encode, position_encode):
        m = MemNN(12, 30, enc, 10, 3)
        m.fix_ignore_label()
        s = numpy.random.randint(0, 30, (4, 10, 7)).astype('i')
        q = numpy.random.randint(0, 30, (4, 5)).astype('i')
        out.append(m(s, q))
    return out, len(list(m.params())), F.accuracy(out[0], numpy.zeros(4, 'i'))
