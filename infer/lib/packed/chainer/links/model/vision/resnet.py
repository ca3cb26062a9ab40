# This file defines the residual networks.
import collections
from chainer import Chain
from chainer import functions as F
from chainer.links.connection import Linear
from chainer.links.convolution import Convolution2D
from chainer.links.normalization import BatchNormalization
from ._layers import Layers, prepare


class BottleneckA(Chain):
    """The first block of a stage, with a projection beside it."""

    def __init__(self, in_channels, mid_channels, out_channels, stride=2, initialW=None, downsample_fb=False):
        super().__init__()
        first, second = (1, stride) if downsample_fb else (stride, 1)
        with self.init_scope():
            self.conv1 = Convolution2D(in_channels, mid_channels, 1, first, 0, nobias=True)
            self.bn1 = BatchNormalization(mid_channels)
            self.conv2 = Convolution2D(mid_channels, mid_channels, 3, second, 1, nobias=True)
            self.bn2 = BatchNormalization(mid_channels)
            self.conv3 = Convolution2D(mid_channels, out_channels, 1, 1, 0, nobias=True)
            self.bn3 = BatchNormalization(out_channels)
            self.conv4 = Convolution2D(in_channels, out_channels, 1, stride, 0, nobias=True)
            self.bn4 = BatchNormalization(out_channels)

    def forward(self, x):
        h = F.relu(self.bn1(self.conv1(x)))
        h = F.relu(self.bn2(self.conv2(h)))
        h = self.bn3(self.conv3(h))
        return F.relu(h + self.bn4(self.conv4(x)))


class BottleneckB(Chain):
    """A block whose input is added to its result."""

    def __init__(self, in_channels, mid_channels, initialW=None):
        super().__init__()
        with self.init_scope():
            self.conv1 = Convolution2D(in_channels, mid_channels, 1, 1, 0, nobias=True)
            self.bn1 = BatchNormalization(mid_channels)
            self.conv2 = Convolution2D(mid_channels, mid_channels, 3, 1, 1, nobias=True)
            self.bn2 = BatchNormalization(mid_channels)
            self.conv3 = Convolution2D(mid_channels, in_channels, 1, 1, 0, nobias=True)
            self.bn3 = BatchNormalization(in_channels)

    def forward(self, x):
        h = F.relu(self.bn1(self.conv1(x)))
        h = F.relu(self.bn2(self.conv2(h)))
        return F.relu(self.bn3(self.conv3(h)) + x)


class BuildingBlock(Chain):
    def __init__(self, n_layers=None, in_channels=None, mid_channels=None, out_channels=None, stride=None, initialW=None, downsample_fb=None, **kwargs):
        super().__init__()
        if 'n_layer' in kwargs:
            n_layers = kwargs['n_layer']
        with self.init_scope():
            self.a = BottleneckA(in_channels, mid_channels, out_channels, stride, initialW, bool(downsample_fb))
            self._forward = ['a']
            for i in range(n_layers - 1):
                name = 'b%d' % (i + 1)
                setattr(self, name, BottleneckB(out_channels, mid_channels, initialW))
                self._forward.append(name)

    def forward(self, x):
        for name in self._forward:
            x = getattr(self, name)(x)
        return x


def _global_average_pooling_2d(x):
    n, channels, rows, cols = x.shape
    h = F.average_pooling_2d(x, (rows, cols), stride=1)
    return F.reshape(h, (n, channels))


class ResNetLayers(Layers):
    _last = 'prob'
    _features = 'pool5'

    def __init__(self, pretrained_model, n_layers, downsample_fb=False):
        super().__init__()
        depths = {50: (3, 4, 6, 3), 101: (3, 4, 23, 3), 152: (3, 8, 36, 3)}
        if n_layers not in depths:
            raise ValueError('The n_layers argument should be either 50, 101, or 152, but %s was given.' % n_layers)
        n2, n3, n4, n5 = depths[n_layers]
        with self.init_scope():
            self.conv1 = Convolution2D(3, 64, 7, 2, 3)
            self.bn1 = BatchNormalization(64)
            self.res2 = BuildingBlock(n2, 64, 64, 256, 1, None, downsample_fb)
            self.res3 = BuildingBlock(n3, 256, 128, 512, 2, None, downsample_fb)
            self.res4 = BuildingBlock(n4, 512, 256, 1024, 2, None, downsample_fb)
            self.res5 = BuildingBlock(n5, 1024, 512, 2048, 2, None, downsample_fb)
            self.fc6 = Linear(2048, 1000)

    @property
    def functions(self):
        return collections.OrderedDict([
            ('conv1', [self.conv1, self.bn1, F.relu]),
            ('pool1', [lambda x: F.max_pooling_2d(x, ksize=3, stride=2)]),
            ('res2', [self.res2]), ('res3', [self.res3]), ('res4', [self.res4]), ('res5', [self.res5]),
            ('pool5', [_global_average_pooling_2d]), ('fc6', [self.fc6]), ('prob', [F.softmax])])


class ResNet50Layers(ResNetLayers):
    def __init__(self, pretrained_model='auto', downsample_fb=False):
        super().__init__(pretrained_model, 50, downsample_fb)


class ResNet101Layers(ResNetLayers):
    def __init__(self, pretrained_model='auto', downsample_fb=False):
        super().__init__(pretrained_model, 101, downsample_fb)


class ResNet152Layers(ResNetLayers):
    def __init__(self, pretrained_model='auto', downsample_fb=False):
        super().__init__(pretrained_model, 152, downsample_fb)
