# entry: forward
# arg: x:f32[4,1,3]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(x):
    w = chainer.utils.WalkerAlias([1, 2, 3]) if hasattr(chainer.utils, 'WalkerAlias') else None
    v, u = chainer.Variable(x), chainer.Variable(x)
    a, b = F.sum(v * u), F.sum(v)
    chainer.backward([a, b])
    return chainer.utils.sum_to(x, (4, 1, 1)), chainer.utils.force_array(1.5), chainer.utils.size_of_shape(x.shape), v.grad, u.grad, chainer.utils.get_conv_outsize(7, 3, 2, 1), chainer.utils.get_deconv_outsize(4, 3, 2, 1)
