# entry: forward
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward():
    with chainer.using_config('dtype', chainer.mixed16):
        l = L.Convolution2D(3, 4, 3)
        bn = L.BatchNormalization(4)
        a, b = chainer.get_dtype(), chainer.get_dtype(map_mixed16=np.float32)
        x = np.zeros((2, 3, 8, 8), np.float16)
        y = bn(l(x))
    return l.W, bn.gamma, str(a), b, y
