# This file defines what the distributions share. Their parameters are Variables, and what is computed of them has the
# types that the formulas give.
import math
import numpy
import chainer
from chainer import functions as F
from ..distribution import Distribution

HALF_LOG_2PI = 0.5 * math.log(2 * math.pi)
EULER = 0.5772156649015329


def array_of(x):
    return x.array if isinstance(x, chainer.Variable) else x


def parameter(name):
    """A property: the argument of that name as a Variable."""
    def get(self):
        return chainer.as_variable(self._given[name])
    return property(get)


def one_of(**given):
    if sum([v is not None for v in given.values()]) != 1:
        raise ValueError('Either `%s` (not both) must have a value.' % '` or `'.join(given))


def xlogx(x):
    return chainer.as_variable(x) * F.log(chainer.as_variable(x))


class Base(Distribution):
    _names = ()  # of the parameters; the batch has the shape of the first one
    _support = 'real'

    def __init__(self, *args, **kwargs):
        if len(args) > len(self._names):
            raise TypeError('%s() takes %d arguments but %d were given' % (type(self).__name__, len(self._names), len(args)))
        given = dict(zip(self._names, args))
        for name, value in kwargs.items():
            if name not in self._names or name in given:
                raise TypeError("%s() got an unexpected keyword argument '%s'" % (type(self).__name__, name))
            given[name] = value
        for name in self._names:
            if name not in given:
                raise TypeError("%s() missing a required argument: '%s'" % (type(self).__name__, name))
        self._given = given

    @property
    def _first(self):
        return getattr(self, self._names[0])

    @property
    def batch_shape(self):
        return self._first.shape

    @property
    def event_shape(self):
        return ()

    @property
    def params(self):
        return {name: getattr(self, name) for name in self._names}

    @property
    def support(self):
        return self._support

    def _noise(self, n, draw, *args):
        """Random numbers of the first parameter's shape and dtype."""
        return draw(*args, size=(n,) + self._first.shape).astype(self._first.dtype)


class Located(Base):
    """A distribution with a location and a scale."""

    _names = ('loc', 'scale')
    loc, scale = parameter('loc'), parameter('scale')
