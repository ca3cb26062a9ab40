# entry: Net()
# arg: x:f32[N,3,11,13]
# N: 2,5
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Net(chainer.Chain):
    def forward(self, x):
        a = F.max_pooling_2d(x, 3, stride=2)
        b = F.max_pooling_2d(x, 3, stride=2, cover_all=False)
        c = F.average_pooling_2d(x, 3, stride=2, pad=1)
        d = F.unpooling_2d(b, 2)
        e = F.spatial_pyramid_pooling_2d(x, 2, 'max')
        return a, b, c, d, e, F.average_pooling_2d(x, x.shape[2:])
