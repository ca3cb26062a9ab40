# entry: Generator(16)
# arg: z:f32[4,16]
# arg: stage=2
import numpy as np
import chainer
import chainer.functions as F
import chainer.links as L
from chainer import initializers


def feature_vector_normalization(x, eps=1e-8):
    alpha = 1.0 / F.sqrt(F.mean(x * x, axis=1, keepdims=True) + eps)
    return F.broadcast_to(alpha, x.data.shape) * x


class EqualizedConv2d(chainer.Chain):
    def __init__(self, in_ch, out_ch, ksize, stride, pad, gain=np.sqrt(2)):
        w = chainer.initializers.Normal(1.0)
        self.inv_c = gain * np.sqrt(1.0 / (in_ch * ksize ** 2))
        super(EqualizedConv2d, self).__init__()
        with self.init_scope():
            self.c = L.Convolution2D(in_ch, out_ch, ksize, stride, pad, initialW=w)

    def __call__(self, x):
        return self.c(self.inv_c * x)


class AdaIN(chainer.Chain):
    def __init__(self, w_ch, ch):
        super().__init__()
        with self.init_scope():
            self.s = L.Linear(w_ch, ch, initial_bias=initializers.One())
            self.b = L.Linear(w_ch, ch)
            self.noise = chainer.Parameter(initializers.Zero(), (1, ch, 1, 1))

    def __call__(self, w, h):
        n = self.xp.random.normal(size=(h.shape[0], 1) + h.shape[2:]).astype('f')
        h = h + F.broadcast_to(self.noise, h.shape) * self.xp.broadcast_to(n, h.shape)
        m = F.mean(h, axis=(2, 3), keepdims=True)
        c = h - F.broadcast_to(m, h.shape)
        v = F.mean(c ** 2, axis=(2, 3), keepdims=True)
        h = c * F.broadcast_to(F.rsqrt(v + 1e-8), h.shape)
        s, b = self.s(w), self.b(w)
        return F.bias(F.scale(h, s), b)


class Block(chainer.Chain):
    def __init__(self, i, o, w_ch, up=True):
        super().__init__()
        self.up = up
        with self.init_scope():
            self.c0 = EqualizedConv2d(i, o, 3, 1, 1)
            self.a0 = AdaIN(w_ch, o)
            self.rgb = EqualizedConv2d(o, 3, 1, 1, 0, gain=1)

    def __call__(self, w, x):
        if self.up:
            x = F.unpooling_2d(x, 2, 2, 0, outsize=(x.shape[2] * 2, x.shape[3] * 2))
        return self.a0(w, F.leaky_relu(self.c0(x)))


class Generator(chainer.Chain):
    def __init__(self, ch):
        super().__init__()
        self.ch = ch
        with self.init_scope():
            self.mapping = chainer.Sequential(*sum([[L.Linear(ch, ch), F.leaky_relu] for _ in range(3)], []))
            self.const = chainer.Parameter(initializers.One(), (1, ch, 4, 4))
            for i, o in enumerate([ch, ch // 2, ch // 4]):
                setattr(self, 'b%d' % i, Block(ch if i == 0 else self['b%d' % (i - 1)].c0.c.out_channels, o, ch, i > 0))

    def forward(self, z, stage, alpha=0.5):
        w = self.mapping(feature_vector_normalization(z))
        h = F.tile(self.const, (len(z), 1, 1, 1))
        outs = []
        for i in range(stage + 1):
            block = getattr(self, 'b%d' % i)
            h = block(w, h)
            outs.append(block.rgb(h))
        low = F.unpooling_2d(outs[-2], 2, cover_all=False)
        return (1 - alpha) * low + alpha * outs[-1], [o.shape for o in outs]
