# entry: UNet()
# arg: x:f32[2,3,30,30]
import chainer
import chainer.functions as F
import chainer.links as L


class UNet(chainer.Chain):
    def __init__(self):
        super(UNet, self).__init__()
        with self.init_scope():
            self.c0 = L.Convolution2D(3, 8, 3, 1, 1)
            self.c1 = L.Convolution2D(8, 16, 4, 2, 1)
            self.c2 = L.Convolution2D(16, 16, 4, 2, 1)
            self.d2 = L.Deconvolution2D(16, 16, 4, 2, 1)
            self.d1 = L.Deconvolution2D(32, 8, 4, 2, 1)

    def forward(self, x):
        e0 = F.relu(self.c0(x))
        e1 = F.relu(self.c1(e0))
        e2 = F.relu(self.c2(e1))
        d2 = F.relu(self.d2(e2))
        d1 = F.relu(self.d1(F.concat([e1, d2])))
        return F.concat([d1, e0])
