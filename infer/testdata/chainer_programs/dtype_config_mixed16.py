# entry: main
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np
from chainer import Variable


def main():
    out = {}
    with chainer.using_config('dtype', chainer.mixed16):
        l = L.Linear(3, 4)
        y = l(np.ones((2, 3), np.float16))
        out['mixed'] = (l.W.dtype, y.dtype)
    with chainer.using_config('dtype', np.float64):
        l = L.Convolution2D(3, 4, 3)
        out['d'] = l.W
        bn = L.BatchNormalization(3)
        out['bn'] = (bn.gamma.dtype, bn.avg_mean.dtype)
    out['dt'] = chainer.get_dtype()
    out['map'] = chainer.get_dtype(chainer.mixed16), chainer.get_dtype(chainer.mixed16, map_mixed16=np.float32)
    out['tr'] = chainer.config.train, chainer.config.enable_backprop, chainer.config.type_check
    with chainer.using_config('train', False), chainer.no_backprop_mode():
        y = F.dropout(Variable(np.ones((2, 2), 'f')))
        out['y'] = y.creator is None, y, chainer.config.enable_backprop
    return out
