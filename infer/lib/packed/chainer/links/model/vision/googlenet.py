# This file defines GoogLeNet.
import collections
from chainer import functions as F
from chainer.links.connection import Inception, Linear
from chainer.links.convolution import Convolution2D
from ._layers import Layers, prepare


class GoogLeNet(Layers):
    _last = 'prob'
    _features = 'pool5'
    # The losses at the sides begin at these layers.
    _branches = {'loss1_fc2': 'inception_4a', 'loss2_fc2': 'inception_4d'}

    def __init__(self, pretrained_model='auto'):
        super().__init__()
        with self.init_scope():
            self.conv1 = Convolution2D(3, 64, 7, stride=2, pad=3)
            self.conv2_reduce = Convolution2D(64, 64, 1)
            self.conv2 = Convolution2D(64, 192, 3, stride=1, pad=1)
            self.inc3a = Inception(192, 64, 96, 128, 16, 32, 32)
            self.inc3b = Inception(256, 128, 128, 192, 32, 96, 64)
            self.inc4a = Inception(480, 192, 96, 208, 16, 48, 64)
            self.inc4b = Inception(512, 160, 112, 224, 24, 64, 64)
            self.inc4c = Inception(512, 128, 128, 256, 24, 64, 64)
            self.inc4d = Inception(512, 112, 144, 288, 32, 64, 64)
            self.inc4e = Inception(528, 256, 160, 320, 32, 128, 128)
            self.inc5a = Inception(832, 256, 160, 320, 32, 128, 128)
            self.inc5b = Inception(832, 384, 192, 384, 48, 128, 128)
            self.loss3_fc = Linear(1024, 1000)
            self.loss1_conv = Convolution2D(512, 128, 1)
            self.loss1_fc1 = Linear(2048, 1024)
            self.loss1_fc2 = Linear(1024, 1000)
            self.loss2_conv = Convolution2D(528, 128, 1)
            self.loss2_fc1 = Linear(2048, 1024)
            self.loss2_fc2 = Linear(1024, 1000)

    @property
    def functions(self):
        return collections.OrderedDict([
            ('conv1', [self.conv1, F.relu]),
            ('pool1', [_max_pooling_2d, _local_response_normalization]),
            ('conv2_reduce', [self.conv2_reduce, F.relu]),
            ('conv2', [self.conv2, F.relu, _local_response_normalization]),
            ('pool2', [_max_pooling_2d]),
            ('inception_3a', [self.inc3a]), ('inception_3b', [self.inc3b]),
            ('pool3', [_max_pooling_2d]),
            ('inception_4a', [self.inc4a]), ('inception_4b', [self.inc4b]), ('inception_4c', [self.inc4c]), ('inception_4d', [self.inc4d]), ('inception_4e', [self.inc4e]),
            ('pool4', [_max_pooling_2d]),
            ('inception_5a', [self.inc5a]), ('inception_5b', [self.inc5b]),
            ('pool5', [_average_pooling_2d_k7]),
            ('loss3_fc', [_dropout, self.loss3_fc]),
            ('prob', [F.softmax]),
            ('loss1_fc2', [_average_pooling_2d_k5, self.loss1_conv, F.relu, self.loss1_fc1, F.relu, self.loss1_fc2]),
            ('loss2_fc2', [_average_pooling_2d_k5, self.loss2_conv, F.relu, self.loss2_fc1, F.relu, self.loss2_fc2])])


def _max_pooling_2d(x):
    return F.max_pooling_2d(x, ksize=3, stride=2)


def _local_response_normalization(x):
    return F.local_response_normalization(x, n=5, k=1, alpha=2e-05)


def _average_pooling_2d_k5(x):
    return F.average_pooling_2d(x, ksize=5, stride=3)


def _average_pooling_2d_k7(x):
    return F.average_pooling_2d(x, ksize=7, stride=1)


def _dropout(x):
    return F.dropout(x, ratio=0.4)
