# entry: forward
# arg: x:f32[2,3]
import chainer
import chainer.functions as F
import chainer.links as L


class Count(chainer.FunctionHook):
    name = 'Count'

    def __init__(self, name):
        self.n = {}
        self.name = name

    def forward_preprocess(self, function, in_data):
        self.n[function.label] = self.n.get(function.label, 0) + 1


def forward(x):
    a, b = Count('a'), Count('b')
    conv = L.Convolution2D(1, 2, 3, pad=1)
    bn = L.BatchNormalization(2)
    with a:
        h = F.reshape(x, (1, 1, 2, 3))
        with b:
            h = bn(conv(h))
            h = F.max_pooling_2d(F.dropout(F.leaky_relu(h), 0.3), 2)
        h = F.softmax(F.concat([h, h], axis=1))
        h = -h ** 2 / 3 - h
    return a.n, b.n
