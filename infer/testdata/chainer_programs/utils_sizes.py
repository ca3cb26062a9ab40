# entry: forward
# arg: x:f32[2,3]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(x):
    v = chainer.Variable(x)
    y = F.sum(v ** 3)
    g, = chainer.grad([y], [v])
    return y, g, chainer.utils.force_array(3.0, np.float32), chainer.utils.size_of_shape((2, 3)), chainer.utils.conv.get_conv_outsize(10, 3, 2, 1, cover_all=True), chainer.utils.conv.get_deconv_outsize(5, 3, 2, 1)
