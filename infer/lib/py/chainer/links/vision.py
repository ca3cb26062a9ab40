# This file defines the model links: GoogLeNet, the residual networks, VGG.
import collections
import numpy
import _shapecheck
import chainer
from chainer import Chain
from chainer import functions as F
from .connection import Inception, Linear
from .convolution import Convolution2D
from .normalization import BatchNormalization


class _Layers(Chain):
    """A chain of named functions, of whose results some are asked for."""

    def forward(self, x, layers=None, **kwargs):
        for name in kwargs:
            raise ValueError("%s argument is not supported anymore" % name if name in ('test', 'train') else "unexpected argument '%s'" % name)
        if layers is None:
            layers = [self._last]
        h, found, wanted = x, {}, set(layers)
        for name, funcs in self.functions.items():
            if len(wanted) == 0:
                break
            for func in funcs:
                h = func(h)
            if name in wanted:
                found[name] = h
                wanted.remove(name)
        return found

    @property
    def available_layers(self):
        return list(self.functions.keys())

    def extract(self, images, layers=None, size=(224, 224), **kwargs):
        if layers is None:
            layers = [self._features]
        x = numpy.zeros((len(images), 3) + tuple(size), dtype=numpy.float32)
        with chainer.using_config('train', False), chainer.no_backprop_mode():
            return self(x, layers=layers)

    def predict(self, images, oversample=True):
        rows = len(images) * (10 if oversample else 1)
        x = numpy.zeros((rows, 3, 224, 224), dtype=numpy.float32)
        with chainer.using_config('train', False), chainer.no_backprop_mode():
            y = self(x)[self._last]
            if oversample:
                n = y.shape[0] // 10
                y = F.sum(F.reshape(y, (n, 10) + y.shape[1:]), axis=1) / 10
        return y

    @classmethod
    def convert_caffemodel_to_npz(cls, path_caffemodel, path_npz):
        pass


def prepare(image, size=(224, 224)):
    if size is None:
        return _shapecheck.unknown('the size of an image')
    return numpy.zeros((3, size[1], size[0]), dtype=numpy.float32)


def _pool2(x):
    return F.max_pooling_2d(x, ksize=2)


class _VGG(_Layers):
    _last = 'prob'
    _features = 'fc7'

    def __init__(self, pretrained_model='auto'):
        super().__init__()
        with self.init_scope():
            before = 3
            for stage, n in enumerate(self._depths):
                channels = (64, 128, 256, 512, 512)[stage]
                for i in range(n):
                    setattr(self, 'conv%d_%d' % (stage + 1, i + 1), Convolution2D(before, channels, 3, 1, 1))
                    before = channels
            self.fc6 = Linear(512 * 7 * 7, 4096)
            self.fc7 = Linear(4096, 4096)
            self.fc8 = Linear(4096, 1000)

    @property
    def functions(self):
        out = collections.OrderedDict()
        for stage, n in enumerate(self._depths):
            for i in range(n):
                name = 'conv%d_%d' % (stage + 1, i + 1)
                out[name] = [getattr(self, name), F.relu]
            out['pool%d' % (stage + 1)] = [_pool2]
        out['fc6'] = [self.fc6, F.relu, F.dropout]
        out['fc7'] = [self.fc7, F.relu, F.dropout]
        out['fc8'] = [self.fc8]
        out['prob'] = [F.softmax]
        return out


class VGG16Layers(_VGG):
    _depths = (2, 2, 3, 3, 3)


class VGG19Layers(_VGG):
    _depths = (2, 2, 4, 4, 4)


class _BottleneckA(Chain):
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


class _BottleneckB(Chain):
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
    def __init__(self, n_layer, in_channels, mid_channels, out_channels, stride, initialW=None, downsample_fb=None):
        super().__init__()
        with self.init_scope():
            self.a = _BottleneckA(in_channels, mid_channels, out_channels, stride, initialW, bool(downsample_fb))
            self._forward = ['a']
            for i in range(n_layer - 1):
                name = 'b%d' % (i + 1)
                setattr(self, name, _BottleneckB(out_channels, mid_channels, initialW))
                self._forward.append(name)

    @property
    def forward(self):
        return self._through

    def _through(self, x):
        for name in self._forward:
            x = getattr(self, name)(x)
        return x


def _global_average_pooling_2d(x):
    n, channels, rows, cols = x.shape
    h = F.average_pooling_2d(x, (rows, cols), stride=1)
    return F.reshape(h, (n, channels))


class ResNetLayers(_Layers):
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


class GoogLeNet(_Layers):
    _last = 'prob'
    _features = 'pool5'

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
        def pool3(x):
            return F.max_pooling_2d(x, ksize=3, stride=2)

        def norm(x):
            return F.local_response_normalization(x, n=5, k=1, alpha=2e-05)

        def average(x):
            return F.average_pooling_2d(x, ksize=5, stride=3)

        def global_average(x):
            return F.average_pooling_2d(x, ksize=7, stride=1)

        def dropout(x):
            return F.dropout(x, ratio=0.4)

        return collections.OrderedDict([
            ('conv1', [self.conv1, F.relu]), ('pool1', [pool3, norm]), ('conv2_reduce', [self.conv2_reduce, F.relu]), ('conv2', [self.conv2, F.relu]),
            ('pool2', [norm, pool3]), ('inception_3a', [self.inc3a]), ('inception_3b', [self.inc3b]), ('pool3', [pool3]), ('inception_4a', [self.inc4a]),
            ('inception_4b', [self.inc4b]), ('inception_4c', [self.inc4c]), ('inception_4d', [self.inc4d]), ('inception_4e', [self.inc4e]), ('pool4', [pool3]),
            ('inception_5a', [self.inc5a]), ('inception_5b', [self.inc5b]), ('pool5', [global_average]), ('loss3_fc', [dropout, self.loss3_fc]), ('prob', [F.softmax])])
