# This file defines the distributions of vectors.
import numpy
import chainer
from chainer import functions as F
from ..distribution import Distribution
from ._base import HALF_LOG_2PI, Base, parameter


class Dirichlet(Base):
    _names, _support = ('alpha',), '[0, 1]'
    alpha = parameter('alpha')

    @property
    def alpha0(self):
        return F.sum(self.alpha, axis=-1)

    @property
    def batch_shape(self):
        return self.alpha.shape[:-1]

    @property
    def event_shape(self):
        return self.alpha.shape[-1:]

    @property
    def log_beta(self):
        return F.sum(F.lgamma(self.alpha), axis=-1) - F.lgamma(self.alpha0)

    def log_prob(self, x):
        return -self.log_beta + F.sum((self.alpha - 1) * F.log(x), axis=-1)

    def sample_n(self, n):
        return chainer.Variable(numpy.empty((n,) + self.alpha.shape, numpy.float32))

    @property
    def entropy(self):
        return self.log_beta + (self.alpha0 - self.event_shape[0]) * F.digamma(self.alpha0) - F.sum((self.alpha - 1) * F.digamma(self.alpha), axis=-1)

    @property
    def mean(self):
        return self.alpha / F.expand_dims(self.alpha0, axis=-1)

    @property
    def variance(self):
        alpha0 = F.expand_dims(self.alpha0, axis=-1)
        return self.alpha * (alpha0 - self.alpha) / alpha0 ** 2 / (alpha0 + 1)


class _TriangularInv(chainer.FunctionNode):
    def check_type_forward(self, in_types):
        from chainer.utils import type_check
        a, = in_types
        type_check.expect(a.dtype == numpy.float32, a.ndim == 2, a.shape[0] == a.shape[1])

    def forward(self, inputs):
        return numpy.linalg.inv(numpy.tril(inputs[0])),


def triangular_inv(x):
    return F.stack([_TriangularInv().apply((x[i],))[0] for i in range(len(x))])


class MultivariateNormal(Base):
    _names = ('loc', 'scale_tril')

    def __init__(self, loc, *, scale_tril=None):
        if scale_tril is None:
            raise ValueError('`scale_tril` must have a value.')
        self._given = {'loc': loc, 'scale_tril': scale_tril}

    loc, scale_tril = parameter('loc'), parameter('scale_tril')

    @property
    def d(self):
        return self.scale_tril.shape[-1]

    @property
    def batch_shape(self):
        return self.loc.shape[:-1]

    @property
    def event_shape(self):
        return self.loc.shape[-1:]

    @property
    def logdet_scale(self):
        return F.sum(F.log(abs(F.diagonal(self.scale_tril, axis1=-2, axis2=-1))), axis=-1)

    def log_prob(self, x):
        inverse = triangular_inv(self.scale_tril.reshape(-1, self.d, self.d)).reshape(self.batch_shape + (self.d, self.d))
        m = F.matmul(F.broadcast_to(inverse, x.shape + (self.d,)), F.expand_dims(x - F.broadcast_to(self.loc, x.shape), axis=-1))
        m = F.squeeze(F.squeeze(F.matmul(F.swapaxes(m, -1, -2), m), axis=-1), axis=-1)
        return F.broadcast_to(-HALF_LOG_2PI * self.d - self.logdet_scale, m.shape) - 0.5 * m

    def sample_n(self, n):
        noise = numpy.random.standard_normal((n,) + self.loc.shape + (1,)).astype(numpy.float32)
        return self.loc + F.squeeze(F.matmul(self.scale_tril, noise), axis=-1)

    @property
    def covariance(self):
        return F.matmul(self.scale_tril, F.transpose(self.scale_tril, tuple(range(len(self.batch_shape))) + (-1, -2)))

    @property
    def entropy(self):
        return self.logdet_scale + (HALF_LOG_2PI + 0.5) * self.d

    @property
    def mean(self):
        return self.loc


class Independent(Distribution):
    """A distribution whose last batch axes are axes of an event."""

    def __init__(self, distribution, reinterpreted_batch_ndims=None):
        batch = distribution.batch_shape
        if reinterpreted_batch_ndims is None:
            reinterpreted_batch_ndims = max(0, len(batch) - 1)
        elif reinterpreted_batch_ndims > len(batch):
            raise ValueError('reinterpreted_batch_ndims must be less than or equal to the number of dimensions of `distribution.batch_shape`.')
        self._distribution = distribution
        self._ndims = reinterpreted_batch_ndims
        n = len(batch) - reinterpreted_batch_ndims
        self._batch_shape = batch[:n]
        self._event_shape = batch[n:] + distribution.event_shape

    @property
    def distribution(self):
        return self._distribution

    @property
    def reinterpreted_batch_ndims(self):
        return self._ndims

    @property
    def batch_shape(self):
        return self._batch_shape

    @property
    def event_shape(self):
        return self._event_shape

    @property
    def covariance(self):
        d = self._distribution
        n = chainer.utils.size_of_shape(d.batch_shape[-self._ndims:])
        dim = chainer.utils.size_of_shape(d.event_shape)
        batch = self.batch_shape
        cov = F.repeat(F.reshape(d.covariance, batch + (1, n, dim, dim)), n, axis=-4)
        return F.reshape(F.transpose(cov, axes=tuple(range(len(batch))) + (-4, -2, -3, -1)), batch + (n * dim, n * dim))

    def _reduce(self, op, stat):
        return op(stat, axis=tuple(range(-self._ndims, 0)))

    @property
    def entropy(self):
        return self._reduce(F.sum, self._distribution.entropy)

    def cdf(self, x):
        return self._reduce(F.prod, self._distribution.cdf(x))

    def icdf(self, x):
        raise RuntimeError('Cumulative distribution function for multivariate variable is not invertible.')

    def log_cdf(self, x):
        return self._reduce(F.sum, self._distribution.log_cdf(x))

    def log_prob(self, x):
        return self._reduce(F.sum, self._distribution.log_prob(x))

    def log_survival_function(self, x):
        return self._reduce(F.sum, self._distribution.log_survival_function(x))

    def perplexity(self, x):
        return self._reduce(F.prod, self._distribution.perplexity(x))

    def prob(self, x):
        return self._reduce(F.prod, self._distribution.prob(x))

    def survival_function(self, x):
        return self._reduce(F.prod, self._distribution.survival_function(x))

    def sample_n(self, n):
        return self._distribution.sample_n(n)

    @property
    def mean(self):
        return self._distribution.mean

    @property
    def mode(self):
        return self._distribution.mode

    @property
    def params(self):
        return self._distribution.params

    @property
    def stddev(self):
        return self._distribution.stddev

    @property
    def support(self):
        return self._distribution.support

    @property
    def variance(self):
        return self._distribution.variance
