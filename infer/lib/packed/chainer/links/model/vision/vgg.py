# This file defines VGG.
import collections
from chainer import functions as F
from chainer.links.connection import Linear
from chainer.links.convolution import Convolution2D
from ._layers import Layers, prepare


def _max_pooling_2d(x):
    return F.max_pooling_2d(x, ksize=2)


class VGGLayers(Layers):
    _last = 'prob'
    _features = 'fc7'

    def __init__(self, pretrained_model='auto', n_layers=16):
        super().__init__()
        if n_layers not in (16, 19):
            raise ValueError('The n_layers argument should be either 16 or 19, but %s was given.' % n_layers)
        self._depths = (2, 2, 3, 3, 3) if n_layers == 16 else (2, 2, 4, 4, 4)
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
        raise NotImplementedError  # of the base class, as in Chainer

    def _functions(self):
        out = collections.OrderedDict()
        for stage, n in enumerate(self._depths):
            for i in range(n):
                name = 'conv%d_%d' % (stage + 1, i + 1)
                out[name] = [getattr(self, name), F.relu]
            out['pool%d' % (stage + 1)] = [_max_pooling_2d]
        out['fc6'] = [self.fc6, F.relu, F.dropout]
        out['fc7'] = [self.fc7, F.relu, F.dropout]
        out['fc8'] = [self.fc8]
        out['prob'] = [F.softmax]
        return out


class VGG16Layers(VGGLayers):
    def __init__(self, pretrained_model='auto'):
        super().__init__(pretrained_model, 16)

    @property
    def functions(self):
        return self._functions()


class VGG19Layers(VGGLayers):
    def __init__(self, pretrained_model='auto'):
        super().__init__(pretrained_model, 19)

    @property
    def functions(self):
        return self._functions()
