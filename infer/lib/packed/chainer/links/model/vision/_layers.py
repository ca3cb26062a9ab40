# This file defines what the models of images have in common.
import numpy
import _shapecheck
import chainer
from chainer import Chain
from chainer import functions as F


class Layers(Chain):
    """A chain of named functions, of whose results some are asked for."""

    _branches = {}

    def forward(self, x, layers=None, **kwargs):
        for name in kwargs:
            raise ValueError("%s argument is not supported anymore" % name if name in ('test', 'train') else "unexpected argument '%s'" % name)
        if layers is None:
            layers = [self._last]
        h, found, wanted, passed = x, {}, set(layers), {}
        for name, funcs in self.functions.items():
            if len(wanted) == 0:
                break
            if name in self._branches:
                h = passed[self._branches[name]]
            for func in funcs:
                h = func(h)
            if name in wanted:
                found[name] = h
                wanted.remove(name)
            if name in self._branches.values():
                passed[name] = h
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
