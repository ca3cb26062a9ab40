# entry: VGG(10)
# arg: x:f32[2,3,32,32]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Block(chainer.Chain):
    def __init__(self, out_channels, ksize, pad=1):
        super(Block, self).__init__()
        with self.init_scope():
            self.conv = L.Convolution2D(None, out_channels, ksize, pad=pad, nobias=True)
            self.bn = L.BatchNormalization(out_channels)

    def forward(self, x):
        return F.relu(self.bn(self.conv(x)))


class VGG(chainer.Chain):
    def __init__(self, class_labels=10):
        super(VGG, self).__init__()
        with self.init_scope():
            self.block1_1 = Block(64, 3)
            self.block1_2 = Block(64, 3)
            self.block2_1 = Block(128, 3)
            self.fc1 = L.Linear(None, 512, nobias=True)
            self.bn_fc1 = L.BatchNormalization(512)
            self.fc2 = L.Linear(None, class_labels, nobias=True)

    def forward(self, x):
        h = self.block1_1(x)
        h = F.dropout(h, ratio=0.3)
        h = self.block1_2(h)
        h = F.max_pooling_2d(h, ksize=2, stride=2)
        h = self.block2_1(h)
        h = F.dropout(h, ratio=0.4)
        h = F.max_pooling_2d(h, ksize=2, stride=2)
        h = self.fc1(h)
        h = F.relu(self.bn_fc1(h))
        return self.fc2(F.dropout(h, ratio=0.5))
