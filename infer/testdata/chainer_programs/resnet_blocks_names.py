# entry: forward
# arg: x:f32[2,3,8,8]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np
from chainer import Variable


class Block(chainer.Chain):
    def __init__(self, i, o, stride=1):
        super().__init__()
        with self.init_scope():
            self.conv1 = L.Convolution2D(i, o, 3, stride, 1, nobias=True)
            self.bn1 = L.BatchNormalization(o)
            self.conv2 = L.Convolution2D(o, o, 3, 1, 1, nobias=True)
            self.bn2 = L.BatchNormalization(o)
            if i != o or stride != 1:
                self.proj = L.Convolution2D(i, o, 1, stride, nobias=True)
            else:
                self.proj = None

    def forward(self, x):
        h = F.relu(self.bn1(self.conv1(x)))
        h = self.bn2(self.conv2(h))
        return F.relu(h + (x if self.proj is None else self.proj(x)))


def forward(x):
    net = chainer.Sequential(Block(3, 4), Block(4, 4), Block(4, 8, 2))
    net.append(lambda h: F.average(h, axis=(2, 3)))
    y = net(x)
    return y, sorted(n for n, _ in net.namedparams()), net[2].proj.W, net[1].proj, len(list(net.children())), len(list(net.links()))
