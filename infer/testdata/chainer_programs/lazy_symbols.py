# entry: Net()
# arg: x:f32[2,3,8,8]
import chainer
import chainer.functions as F
import chainer.links as L


class Net(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.c = L.Convolution2D(None, 6, 3, nobias=True)
            self.d = L.Deconvolution2D(None, 4, 2, stride=2)
            self.dw = L.DepthwiseConvolution2D(None, 2, 3)
            self.di = L.DilatedConvolution2D(None, 5, 3, dilate=2)
            self.bn = L.BatchNormalization(axis=(0, 2, 3))
            self.ln = L.LayerNormalization()
            self.gn = L.GroupNormalization(2)
            self.bi = L.Bilinear(None, None, 3) if False else L.Bilinear(4, 4, 3)
            self.mo = L.Maxout(None, 3, 2)
            self.hw = L.Linear(None, 7)
            self.sc = L.Scale(W_shape=(3,))
            self.pr = L.PReLU()

    def forward(self, x):
        a = self.d(self.c(x))
        b = self.di(self.bn(a))
        g = self.gn(a)
        s = self.dw(g)
        h = self.ln(F.reshape(b, (2, -1)))
        m = self.mo(h)
        return a, b, g, s, h, m, self.hw(h), self.sc(x[:, :, 0, 0]), self.pr(m)
