# This file defines the distributions of real numbers.
import math
import numpy
import chainer
from chainer import functions as F
from ._base import EULER, HALF_LOG_2PI, Base, Located, array_of, one_of, parameter


class Normal(Base):
    _names = ('loc', 'scale')

    def __init__(self, loc, scale=None, *, log_scale=None):
        one_of(scale=scale, log_scale=log_scale)
        self._given = {'loc': loc, 'scale': scale, 'log_scale': log_scale}

    loc = parameter('loc')

    @property
    def scale(self):
        if self._given['scale'] is not None:
            return chainer.as_variable(self._given['scale'])
        return F.exp(self.log_scale)

    @property
    def log_scale(self):
        if self._given['log_scale'] is not None:
            return chainer.as_variable(self._given['log_scale'])
        return F.log(self.scale)

    def cdf(self, x):
        return F.ndtr((x - self.loc) / self.scale)

    def icdf(self, x):
        return self.loc + self.scale * F.ndtri(x)

    def log_cdf(self, x):
        return F.log_ndtr((x - self.loc) / self.scale)

    def log_survival_function(self, x):
        return F.log_ndtr((self.loc - x) / self.scale)

    def survival_function(self, x):
        return F.ndtr((self.loc - x) / self.scale)

    def log_prob(self, x):
        return -HALF_LOG_2PI - self.log_scale - 0.5 * (x - self.loc) ** 2 / self.variance

    def prob(self, x):
        return 1 / math.sqrt(2 * math.pi) / self.scale * F.exp(-0.5 * (x - self.loc) ** 2 / self.variance)

    def sample_n(self, n):
        return self.loc + self.scale * self._noise(n, numpy.random.standard_normal)

    @property
    def entropy(self):
        return self.log_scale + HALF_LOG_2PI + 0.5

    @property
    def mean(self):
        return self.loc

    @property
    def stddev(self):
        return self.scale

    @property
    def variance(self):
        return self.scale ** 2


class Laplace(Located):
    def cdf(self, x):
        y = (x - self.loc) / self.scale
        return 0.5 - 0.5 * F.sign(y) * F.expm1(-abs(y))

    def icdf(self, x):
        h = 1 - 2 * chainer.as_variable(x)
        return self.loc + self.scale * (F.sign(h) * F.log1p(-abs(h)))

    def log_prob(self, x):
        return -F.log(2 * self.scale) - abs(x - self.loc) / self.scale

    def prob(self, x):
        return 0.5 / self.scale * F.exp(-abs(x - self.loc) / self.scale)

    def sample_n(self, n):
        return self.scale * numpy.random.laplace(size=(n,) + self.loc.shape).astype(numpy.float32) + self.loc

    @property
    def entropy(self):
        return 1. + F.log(2 * self.scale)

    @property
    def mean(self):
        return self.loc

    mode = mean

    @property
    def stddev(self):
        return math.sqrt(2) * self.scale

    @property
    def variance(self):
        return 2 * self.scale ** 2


class Cauchy(Located):
    def cdf(self, x):
        return 1 / numpy.pi * F.arctan((x - self.loc) / self.scale) + 0.5

    def icdf(self, x):
        return self.loc + self.scale * F.tan((chainer.as_variable(x) - 0.5) * numpy.pi)

    def log_prob(self, x):
        return -math.log(math.pi) + F.log(self.scale) - F.log((x - self.loc) ** 2 + self.scale ** 2)

    def sample_n(self, n):
        return self.scale * self._noise(n, numpy.random.standard_cauchy) + self.loc

    @property
    def entropy(self):
        return F.log(4 * numpy.pi * self.scale)

    @property
    def mean(self):
        return chainer.as_variable(numpy.full_like(self.loc.array, numpy.nan))

    variance = mean


class Gumbel(Located):
    @property
    def log_scale(self):
        return F.log(self.scale)

    def log_prob(self, x):
        y = (x - self.loc) / self.scale
        return -self.log_scale - y - F.exp(-y)

    def sample_n(self, n):
        return self.scale * self._noise(n, numpy.random.gumbel) + self.loc

    @property
    def entropy(self):
        return self.log_scale + (EULER + 1)

    @property
    def mean(self):
        return self.loc + EULER * self.scale

    @property
    def variance(self):
        return numpy.pi ** 2 / 6 * self.scale ** 2


class Uniform(Base):
    _names = ('low', 'high')

    def __init__(self, *, low=None, high=None, loc=None, scale=None):
        bounds, located = low is not None and high is not None, loc is not None and scale is not None
        if bounds == located:
            raise ValueError('Either `low, high` or `loc, scale` (not both) must have a value.')
        self._names = ('low', 'high') if bounds else ('loc', 'scale')
        self._given = {'low': low, 'high': high, 'loc': loc, 'scale': scale}

    @property
    def low(self):
        return chainer.as_variable(self._given['low']) if 'low' in self._names else self.loc

    @property
    def high(self):
        return chainer.as_variable(self._given['high']) if 'low' in self._names else self.loc + self.scale

    @property
    def loc(self):
        return self.low if 'low' in self._names else chainer.as_variable(self._given['loc'])

    @property
    def scale(self):
        return self.high - self.low if 'low' in self._names else chainer.as_variable(self._given['scale'])

    @property
    def support(self):
        return '[low, high]'

    def cdf(self, x):
        return F.clip((x - self.loc) / self.scale, 0., 1.)

    def icdf(self, x):
        return x * self.scale + self.loc

    def log_prob(self, x):
        x = chainer.as_variable(x)
        logp = F.broadcast_to(-F.log(self.scale), x.shape)
        return F.where((x.array >= self.low.array) & (x.array <= self.high.array), logp, numpy.array(-numpy.inf, logp.dtype))

    def sample_n(self, n):
        return self.icdf(numpy.random.uniform(0, 1, (n,) + self.low.shape).astype(self.low.dtype))

    @property
    def entropy(self):
        return F.log(self.scale)

    @property
    def mean(self):
        return (self.high + self.low) / 2

    @property
    def stddev(self):
        return F.sqrt(self.variance)

    @property
    def variance(self):
        return self.scale ** 2 / 12


class LogNormal(Base):
    _names, _support = ('mu', 'sigma'), 'positive'
    mu, sigma = parameter('mu'), parameter('sigma')

    def log_prob(self, x):
        logx = F.log(x)
        return -HALF_LOG_2PI - F.log(self.sigma) - logx - 0.5 * (logx - self.mu) ** 2 / self.sigma ** 2

    def sample_n(self, n):
        return F.exp(self.sigma * self._noise(n, numpy.random.standard_normal) + self.mu)

    @property
    def entropy(self):
        return 0.5 + HALF_LOG_2PI + F.log(self.sigma) + self.mu

    @property
    def mean(self):
        return F.exp(self.mu + 0.5 * self.sigma ** 2)

    @property
    def variance(self):
        return F.exp(2 * self.mu + self.sigma ** 2) * (F.exp(self.sigma ** 2) - 1)


class Gamma(Base):
    _names, _support = ('k', 'theta'), 'positive'
    k, theta = parameter('k'), parameter('theta')

    def log_prob(self, x):
        logp = -F.lgamma(self.k) - self.k * F.log(self.theta) + (self.k - 1) * F.log(x) - x / self.theta
        return F.where(numpy.asarray(array_of(x) >= 0), logp, numpy.full_like(logp.array, -numpy.inf))

    def sample_n(self, n):
        noise = numpy.random.gamma(self.k.array, size=(n,) + self.batch_shape).astype(self.k.dtype)
        return F.broadcast_to(self.theta, noise.shape) * noise

    @property
    def entropy(self):
        return self.k + F.log(self.theta) + F.lgamma(self.k) + (1 - self.k) * F.digamma(self.k)

    @property
    def mean(self):
        return self.k * self.theta

    @property
    def variance(self):
        return self.mean * self.theta


class Beta(Base):
    _names, _support = ('a', 'b'), '[0, 1]'
    a, b = parameter('a'), parameter('b')

    @property
    def log_beta(self):
        return F.lgamma(self.a) + F.lgamma(self.b) - F.lgamma(self.a + self.b)

    def log_prob(self, x):
        x = chainer.as_variable(x)
        logp = (self.a - 1) * F.log(x) + (self.b - 1) * F.log(1 - x) - self.log_beta
        return F.where((x.array >= 0) & (x.array <= 1), logp, numpy.array(-numpy.inf, logp.dtype))

    def sample_n(self, n):
        return chainer.Variable(self._noise(n, numpy.random.beta, self.a.array, self.b.array))

    @property
    def entropy(self):
        both = self.a + self.b
        return self.log_beta - (self.a - 1) * F.digamma(self.a) - (self.b - 1) * F.digamma(self.b) + (both - 2) * F.digamma(both)

    @property
    def mean(self):
        return self.a / (self.a + self.b)

    @property
    def variance(self):
        both = self.a + self.b
        return self.a * self.b / both ** 2 / (both + 1)


class Chisquare(Base):
    _names, _support = ('k',), 'positive'
    k = parameter('k')

    def log_prob(self, x):
        half = 0.5 * self.k
        return -F.lgamma(half) - half * math.log(2) + (half - 1) * F.log(x) - 0.5 * x

    def sample_n(self, n):
        return chainer.Variable(self._noise(n, numpy.random.chisquare, self.k.array))

    @property
    def entropy(self):
        half = 0.5 * self.k
        return half + math.log(2) + F.lgamma(half) + (1 - half) * F.digamma(half)

    @property
    def mean(self):
        return self.k

    @property
    def variance(self):
        return 2 * self.k


class Exponential(Base):
    _names, _support = ('lam',), 'positive'
    lam = parameter('lam')

    def cdf(self, x):
        return -F.expm1(-self.lam * x)

    def icdf(self, x):
        return -1 / self.lam * F.log1p(-chainer.as_variable(x))

    def log_prob(self, x):
        logp = F.log(self.lam) - self.lam * x
        return F.where(numpy.asarray(array_of(x) >= 0), logp, numpy.full_like(logp.array, -numpy.inf))

    def sample_n(self, n):
        return numpy.random.standard_exponential((n,) + self.lam.shape).astype(self.lam.dtype) / self.lam

    @property
    def entropy(self):
        return 1 - F.log(self.lam)

    @property
    def mean(self):
        return 1 / self.lam

    @property
    def variance(self):
        return self.mean ** 2


class Pareto(Base):
    _names, _support = ('scale', 'alpha'), '[scale, inf]'
    scale, alpha = parameter('scale'), parameter('alpha')

    def log_prob(self, x):
        x = chainer.as_variable(x)
        logp = F.log(self.alpha) + self.alpha * F.log(self.scale) - (self.alpha + 1) * F.log(x)
        return F.where(x.array >= self.scale.array, logp, numpy.array(-numpy.inf, logp.dtype))

    def sample_n(self, n):
        return self.scale * (numpy.random.pareto(self.alpha.array, (n,) + self.batch_shape).astype(self.alpha.dtype) + 1)

    @property
    def entropy(self):
        return -F.log(self.alpha) + F.log(self.scale) + 1. / self.alpha + 1.

    @property
    def mean(self):
        mean = self.alpha * self.scale / (self.alpha - 1)
        return F.where(self.alpha.array > 1, mean, numpy.array(numpy.inf, mean.dtype))

    @property
    def variance(self):
        var = self.scale ** 2 * self.alpha / (self.alpha - 1) ** 2 / (self.alpha - 2)
        return F.where(self.alpha.array > 2, var, numpy.array(numpy.inf, var.dtype))
