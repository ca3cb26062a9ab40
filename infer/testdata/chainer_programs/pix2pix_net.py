# entry: run
# arg: x:f32[1,4,256,256]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy


class CBR(chainer.Chain):
    def __init__(self, ch0, ch1, bn=True, sample='down', activation=F.relu, dropout=False):
        self.bn = bn
        self.activation = activation
        self.dropout = dropout
        layers = {}
        w = chainer.initializers.Normal(0.02)
        if sample == 'down':
            layers['c'] = L.Convolution2D(ch0, ch1, 4, 2, 1, initialW=w)
        else:
            layers['c'] = L.Deconvolution2D(ch0, ch1, 4, 2, 1, initialW=w)
        if bn:
            layers['batchnorm'] = L.BatchNormalization(ch1)
        super(CBR, self).__init__(**layers)

    def forward(self, x):
        h = self.c(x)
        if self.bn:
            h = self.batchnorm(h)
        if self.dropout:
            h = F.dropout(h)
        if self.activation is not None:
            h = self.activation(h)
        return h


class Encoder(chainer.Chain):
    def __init__(self, in_ch):
        layers = {}
        w = chainer.initializers.Normal(0.02)
        layers['c0'] = L.Convolution2D(in_ch, 8, 3, 1, 1, initialW=w)
        ch = 8
        for i in range(1, 8):
            nxt = min(ch * 2, 32)
            layers['c%d' % i] = CBR(ch, nxt, bn=True, sample='down', activation=F.leaky_relu, dropout=False)
            ch = nxt
        super(Encoder, self).__init__(**layers)

    def forward(self, x):
        hs = [F.leaky_relu(self.c0(x))]
        for i in range(1, 8):
            hs.append(self['c%d' % i](hs[i - 1]))
        return hs


class Decoder(chainer.Chain):
    def __init__(self, chs, out_ch):
        super().__init__()
        with self.init_scope():
            self.c0 = CBR(chs[-1], 32, bn=True, sample='up', activation=F.relu, dropout=True)
        prev = 32
        for i in range(1, 7):
            setattr(self, 'k%d' % i, i)
            self.add_link('c%d' % i, CBR(prev + chs[-1 - i], 32, sample='up', dropout=i < 3))
        self.add_link('c7', L.Convolution2D(32 + chs[0], out_ch, 3, 1, 1))

    def forward(self, hs):
        h = self.c0(hs[-1])
        for i in range(1, 8):
            h = F.concat([h, hs[-i - 1]])
            if i < 7:
                h = self['c%d' % i](h)
            else:
                h = self.c7(h)
        return h


def run(x):
    enc = Encoder(4)
    hs = enc(x[:, :, :128, :128] if x.shape[2] < 256 else x)
    dec = Decoder([h.shape[1] for h in hs], 3)
    y = dec(hs)
    return [h.shape for h in hs], y, dec.c3.c.W, sorted(dec._children)[:3]
