# entry: L.Classifier(NIN())
# arg: x:f32[2,3,227,227]
# arg: t:i32[2]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class NIN(chainer.Chain):
    insize = 227

    def __init__(self):
        super(NIN, self).__init__()
        conv_init = chainer.initializers.HeNormal()
        with self.init_scope():
            self.mlpconv1 = L.MLPConvolution2D(None, (96, 96, 96), 11, stride=4, conv_init=conv_init)
            self.mlpconv2 = L.MLPConvolution2D(None, (256, 256, 256), 5, pad=2, conv_init=conv_init)
            self.mlpconv4 = L.MLPConvolution2D(None, (1024, 1024, 1000), 3, pad=1, conv_init=conv_init)

    def forward(self, x):
        h = F.max_pooling_2d(F.relu(self.mlpconv1(x)), 3, stride=2)
        h = F.max_pooling_2d(F.relu(self.mlpconv2(h)), 3, stride=2)
        h = self.mlpconv4(F.dropout(h))
        h = F.reshape(F.average_pooling_2d(h, h.shape[2:]), (len(x), 1000))
        return h
