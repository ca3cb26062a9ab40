# Model links of Chainer without their last, fully connected layers, so that pictures may be small.
import chainer
import chainer.functions as F
import chainer.links as L


class GoogLeNet(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.base = L.GoogLeNet(None)

    def forward(self, x):
        return F.average(self.base(x, layers=['inception_5b'])['inception_5b'], axis=(2, 3))


class ResNet50(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.base = L.ResNet50Layers(None)

    def forward(self, x):
        return F.average(self.base(x, layers=['res5'])['res5'], axis=(2, 3))


class VGG16(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.base = L.VGG16Layers(None)

    def forward(self, x):
        return F.average(self.base(x, layers=['pool5'])['pool5'], axis=(2, 3))


class Blocks(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.first = L.InceptionBN(None, 8, 8, 8, 8, 12, 'avg', 4)
            self.second = L.InceptionBN(None, 0, 8, 8, 8, 12, 'max', stride=2)

    def forward(self, x):
        return self.second(self.first(x))
