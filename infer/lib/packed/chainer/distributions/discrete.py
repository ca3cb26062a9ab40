# This file defines the distributions of integers and classes.
import numpy
import chainer
from chainer import functions as F
from ._base import Base, array_of, one_of, parameter, xlogx


class Geometric(Base):
    _names, _support = ('p',), 'positive integer'
    p = parameter('p')

    def log_prob(self, x):
        return (x - 1) * F.log(1 - self.p) + F.log(self.p)

    def sample_n(self, n):
        return chainer.Variable(self._noise(n, numpy.random.geometric, self.p.array))

    @property
    def mean(self):
        return 1 / self.p

    @property
    def variance(self):
        return (1 - self.p) / self.p ** 2


class Poisson(Base):
    _names, _support = ('lam',), 'non negative integer'
    lam = parameter('lam')

    def log_prob(self, x):
        x = array_of(x).astype(self.lam.dtype)
        return x * F.log(self.lam) - F.lgamma((x + 1).astype(self.lam.dtype)) - self.lam

    def sample_n(self, n):
        return chainer.Variable(numpy.random.poisson(self.lam.array, size=(n,) + self.batch_shape).astype(numpy.float32))

    @property
    def mean(self):
        return self.lam

    @property
    def variance(self):
        return self.lam


class Bernoulli(Base):
    _names, _support = ('p',), '{0, 1}'

    def __init__(self, p=None, logit=None, binary_check=False):
        one_of(p=p, logit=logit)
        self._given = {'p': p, 'logit': logit}
        self.binary_check = binary_check

    @property
    def p(self):
        return F.sigmoid(self.logit) if self._given['p'] is None else chainer.as_variable(self._given['p'])

    @property
    def logit(self):
        return F.log(self.p) - F.log1p(-self.p) if self._given['logit'] is None else chainer.as_variable(self._given['logit'])

    @property
    def params(self):
        return {'logit': self.logit}

    def log_prob(self, x):
        return _BernoulliLogProb().apply((self.logit, x))[0]

    def prob(self, x):
        x = chainer.as_variable(x)
        prob = x * self.p + (1 - x) * (1 - self.p)
        return prob * ((x.array == 0) | (x.array == 1)) if self.binary_check else prob

    def sample_n(self, n):
        return chainer.Variable(numpy.random.binomial(1, self.p.array, size=(n,) + self.p.shape))

    @property
    def entropy(self):
        return -xlogx(self.p) - xlogx(1 - self.p)

    @property
    def mean(self):
        return self.p

    @property
    def stddev(self):
        return self.variance ** 0.5

    @property
    def variance(self):
        return self.p * (1 - self.p)


class _BernoulliLogProb(chainer.FunctionNode):
    def forward(self, inputs):
        logit, x = inputs
        return numpy.asarray(logit * (x - 1) - numpy.log(numpy.exp(-logit) + 1)).astype(logit.dtype),


class Categorical(Base):
    _names = ('p',)

    def __init__(self, p=None, *, logit=None):
        one_of(p=p, logit=logit)
        self._given = {'p': p, 'logit': logit}

    @property
    def p(self):
        return F.exp(self.log_p) if self._given['p'] is None else chainer.as_variable(self._given['p'])

    @property
    def log_p(self):
        return F.log_softmax(self._given['logit'], axis=-1) if self._given['p'] is None else F.log(self._given['p'])

    @property
    def batch_shape(self):
        return self.p.shape[:-1]

    @property
    def support(self):
        raise NotImplementedError

    def log_prob(self, x):
        grid = numpy.meshgrid(*[numpy.arange(n) for n in self.batch_shape], indexing='ij')
        return self.log_p[list(grid) + [array_of(x).astype(numpy.int32)]]

    def sample_n(self, n):
        return chainer.Variable(chosen(self.p.array, n))

    @property
    def entropy(self):
        return -F.sum(xlogx(self.p), axis=-1)


def chosen(p, n):
    """n classes for each row of probabilities: the largest of their logarithms, each with a number of Gumbel's distribution added."""
    return numpy.argmax(numpy.log(p) + numpy.random.gumbel(size=(n,) + p.shape), axis=-1)


class OneHotCategorical(Base):
    _names = ('p',)
    p = parameter('p')

    @property
    def log_p(self):
        return F.log(self.p)

    @property
    def batch_shape(self):
        return self.p.shape[:-1]

    @property
    def event_shape(self):
        return self.p.shape[-1:]

    @property
    def support(self):
        raise NotImplementedError

    def log_prob(self, x):
        return F.sum(self.log_p * x, axis=-1)

    def sample_n(self, n):
        return chainer.Variable(numpy.eye(self.event_shape[0], dtype=self.p.dtype)[chosen(self.p.array, n)])

    @property
    def mean(self):
        return self.p

    @property
    def variance(self):
        return self.p * (1. - self.p)
