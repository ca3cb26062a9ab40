# entry: build()
# arg: x:f32[2,3,12,12]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def build():
    net = chainer.Sequential(L.Convolution2D(None, 6, 3), F.relu)
    net.append(lambda h: F.max_pooling_2d(h, 2))
    net += chainer.Sequential(F.flatten)
    net.insert(1, L.BatchNormalization(6))
    return net
