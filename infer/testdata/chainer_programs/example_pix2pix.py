# entry: chainer.Sequential(Encoder(4), Decoder(3))
# arg: x:f32[1,4,64,64]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class ConvBNR(chainer.Chain):
    def __init__(self, ch0, ch1, use_bn=True, sample='down', activation=F.relu, dropout=False):
        self.use_bn = use_bn
        self.activation = activation
        self.dropout = dropout
        w = chainer.initializers.Normal(0.02)
        super(ConvBNR, self).__init__()
        with self.init_scope():
            if sample == 'down':
                self.c = L.Convolution2D(ch0, ch1, ksize=4, stride=2, pad=1, initialW=w)
            else:
                self.c = L.Deconvolution2D(ch0, ch1, ksize=4, stride=2, pad=1, initialW=w)
            if use_bn:
                self.bn = L.BatchNormalization(ch1)

    def forward(self, x):
        h = self.c(x)
        if self.use_bn:
            h = self.bn(h)
        if self.dropout:
            h = F.dropout(h)
        if self.activation is not None:
            h = self.activation(h)
        return h


class Encoder(chainer.Chain):
    def __init__(self, in_ch):
        super(Encoder, self).__init__()
        w = chainer.initializers.Normal(0.02)
        with self.init_scope():
            self.c0 = L.Convolution2D(in_ch, 8, ksize=3, stride=1, pad=1, initialW=w)
            self.c1 = ConvBNR(8, 16, use_bn=True, sample='down', activation=F.leaky_relu)
            self.c2 = ConvBNR(16, 32, use_bn=True, sample='down', activation=F.leaky_relu)

    def forward(self, x):
        hs = [F.leaky_relu(self.c0(x))]
        for i in range(1, 3):
            hs.append(self['c%d' % i](hs[i - 1]))
        return hs


class Decoder(chainer.Chain):
    def __init__(self, out_ch):
        super(Decoder, self).__init__()
        w = chainer.initializers.Normal(0.02)
        with self.init_scope():
            self.c0 = ConvBNR(32, 16, use_bn=True, sample='up', activation=F.relu, dropout=True)
            self.c1 = ConvBNR(32, 8, use_bn=True, sample='up', activation=F.relu, dropout=True)
            self.c2 = L.Convolution2D(16, out_ch, ksize=3, stride=1, pad=1, initialW=w)

    def forward(self, hs):
        h = self.c0(hs[-1])
        for i in range(1, 3):
            h = F.concat([h, hs[-i - 1]])
            if i < 2:
                h = self['c%d' % i](h)
            else:
                h = self.c2(h)
        return h
