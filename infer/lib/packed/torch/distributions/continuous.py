# This file defines the continuous distributions of one variable, and Dirichlet.
import math
import torch
from . import constraints
from .distribution import Distribution, ExponentialFamily, broadcast_all

_EULER = 0.57721566490153286060


class _LocScale(ExponentialFamily):
    has_rsample = True
    arg_names = ('loc', 'scale')

    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = broadcast_all(loc, scale)
        super().__init__(self.loc.size())

    def _like(self):
        return self.loc

    def _standard(self, value):
        return (value - self.loc) / self.scale

    @property
    def mode(self):
        return self.loc


class Normal(_LocScale):
    arg_constraints = {'loc': constraints.real, 'scale': constraints.positive}
    support = constraints.real

    @property
    def mean(self):
        return self.loc

    @property
    def stddev(self):
        return self.scale

    @property
    def variance(self):
        return self.scale.pow(2)

    def rsample(self, sample_shape=torch.Size()):
        return self.loc + self._randn(sample_shape) * self.scale

    def log_prob(self, value):
        return -((value - self.loc) ** 2) / (2 * self.scale ** 2) - self.scale.log() - math.log(math.sqrt(2 * math.pi))

    def cdf(self, value):
        return 0.5 * (1 + torch.erf(self._standard(value) / math.sqrt(2)))

    def icdf(self, value):
        return self.loc + self.scale * torch.erfinv(2 * value - 1) * math.sqrt(2)

    def entropy(self):
        return 0.5 + 0.5 * math.log(2 * math.pi) + torch.log(self.scale)


class Laplace(_LocScale):
    arg_constraints = {'loc': constraints.real, 'scale': constraints.positive}
    support = constraints.real

    @property
    def mean(self):
        return self.loc

    @property
    def variance(self):
        return 2 * self.scale.pow(2)

    @property
    def stddev(self):
        return (2 ** 0.5) * self.scale

    def rsample(self, sample_shape=torch.Size()):
        u = 2 * self._rand(sample_shape) - 1
        return self.loc - self.scale * u.sign() * torch.log1p(-u.abs())

    def log_prob(self, value):
        return -torch.log(2 * self.scale) - torch.abs(value - self.loc) / self.scale

    def cdf(self, value):
        return 0.5 - 0.5 * (value - self.loc).sign() * torch.expm1(-(value - self.loc).abs() / self.scale)

    def icdf(self, value):
        term = value - 0.5
        return self.loc - self.scale * term.sign() * torch.log1p(-2 * term.abs())

    def entropy(self):
        return 1 + torch.log(2 * self.scale)


class Gumbel(_LocScale):
    arg_constraints = {'loc': constraints.real, 'scale': constraints.positive}
    support = constraints.real

    @property
    def mean(self):
        return self.loc + self.scale * _EULER

    @property
    def stddev(self):
        return (math.pi / math.sqrt(6)) * self.scale

    @property
    def variance(self):
        return self.stddev.pow(2)

    def rsample(self, sample_shape=torch.Size()):
        return self.loc - self.scale * torch.log(-torch.log(self._rand(sample_shape)))

    def log_prob(self, value):
        y = -self._standard(value)
        return (y - y.exp()) - self.scale.log()

    def cdf(self, value):
        return torch.exp(-torch.exp(-self._standard(value)))

    def icdf(self, value):
        return self.loc - self.scale * torch.log(-torch.log(value))

    def entropy(self):
        return self.scale.log() + (1 + _EULER)


class Cauchy(_LocScale):
    arg_constraints = {'loc': constraints.real, 'scale': constraints.positive}
    support = constraints.real

    @property
    def mean(self):
        return torch.full_like(self.loc, math.nan)

    @property
    def variance(self):
        return torch.full_like(self.loc, math.inf)

    def rsample(self, sample_shape=torch.Size()):
        return self.loc + self.scale * torch.tan(math.pi * (self._rand(sample_shape) - 0.5))

    def log_prob(self, value):
        return -math.log(math.pi) - self.scale.log() - (self._standard(value) ** 2).log1p()

    def cdf(self, value):
        return torch.atan(self._standard(value)) / math.pi + 0.5

    def icdf(self, value):
        return torch.tan(math.pi * (value - 0.5)) * self.scale + self.loc

    def entropy(self):
        return math.log(4 * math.pi) + self.scale.log()


class LogNormal(_LocScale):
    arg_constraints = {'loc': constraints.real, 'scale': constraints.positive}
    support = constraints.positive

    @property
    def _normal(self):
        return Normal(self.loc, self.scale)

    @property
    def mean(self):
        return (self.loc + self.scale.pow(2) / 2).exp()

    @property
    def mode(self):
        return (self.loc - self.scale.square()).exp()

    @property
    def variance(self):
        return self.scale.pow(2).expm1() * (2 * self.loc + self.scale.pow(2)).exp()

    def rsample(self, sample_shape=torch.Size()):
        return self._normal.rsample(sample_shape).exp()

    def log_prob(self, value):
        x = value.log()
        return self._normal.log_prob(x) - x

    def cdf(self, value):
        return self._normal.cdf(value.log())

    def icdf(self, value):
        return self._normal.icdf(value).exp()

    def entropy(self):
        return self._normal.entropy() + self.loc


class Uniform(Distribution):

    @constraints.dependent_property(is_discrete=False, event_dim=0)
    def support(self):
        return constraints.interval(self.low, self.high)

    has_rsample = True
    arg_names = ('low', 'high')

    def __init__(self, low, high, validate_args=None):
        self.low, self.high = broadcast_all(low, high)
        super().__init__(self.low.size())

    def _like(self):
        return self.low

    @property
    def mean(self):
        return (self.high + self.low) / 2

    @property
    def mode(self):
        return math.nan * self.high

    @property
    def stddev(self):
        return (self.high - self.low) / 12 ** 0.5

    @property
    def variance(self):
        return (self.high - self.low).pow(2) / 12

    def rsample(self, sample_shape=torch.Size()):
        return self.low + self._rand(sample_shape) * (self.high - self.low)

    def log_prob(self, value):
        inside = self.low.le(value).type_as(self.low).mul(self.high.gt(value).type_as(self.low))
        return torch.log(inside) - torch.log(self.high - self.low)

    def cdf(self, value):
        return ((value - self.low) / (self.high - self.low)).clamp(min=0, max=1)

    def icdf(self, value):
        return value * (self.high - self.low) + self.low

    def entropy(self):
        return torch.log(self.high - self.low)


class Gamma(ExponentialFamily):
    _takes_numbers = True
    arg_constraints = {'concentration': constraints.positive, 'rate': constraints.positive}
    support = constraints.nonnegative
    has_rsample = True
    arg_names = ('concentration', 'rate')

    def __init__(self, concentration, rate, validate_args=None):
        self.concentration, self.rate = broadcast_all(concentration, rate)
        super().__init__(self.concentration.size())

    def _like(self):
        return self.concentration

    @property
    def mean(self):
        return self.concentration / self.rate

    @property
    def mode(self):
        return ((self.concentration - 1) / self.rate).clamp(min=0)

    @property
    def variance(self):
        return self.concentration / self.rate.pow(2)

    def log_prob(self, value):
        return torch.xlogy(self.concentration, self.rate) + torch.xlogy(self.concentration - 1, value) - self.rate * value - torch.lgamma(self.concentration)

    def entropy(self):
        c = self.concentration
        return c - torch.log(self.rate) + torch.lgamma(c) + (1.0 - c) * torch.digamma(c)


class Chi2(Gamma):
    arg_constraints = {'df': constraints.positive}

    def __init__(self, df, validate_args=None):
        super().__init__(0.5 * df, 0.5)

    @property
    def df(self):
        return self.concentration * 2


class Beta(ExponentialFamily):
    arg_constraints = {'concentration1': constraints.positive, 'concentration0': constraints.positive}
    support = constraints.unit_interval
    has_rsample = True
    arg_names = ('concentration1', 'concentration0')

    def __init__(self, concentration1, concentration0, validate_args=None):
        self.concentration1, self.concentration0 = broadcast_all(concentration1, concentration0)
        super().__init__(self.concentration1.size())

    def _like(self):
        return self.concentration1

    @property
    def _both(self):
        return Dirichlet(torch.stack([self.concentration1, self.concentration0], -1))

    @property
    def mean(self):
        return self.concentration1 / (self.concentration1 + self.concentration0)

    @property
    def variance(self):
        total = self.concentration1 + self.concentration0
        return self.concentration1 * self.concentration0 / (total.pow(2) * (total + 1))

    def log_prob(self, value):
        return self._both.log_prob(torch.stack([value, 1.0 - value], -1))

    def entropy(self):
        return self._both.entropy()


class StudentT(Distribution):
    arg_constraints = {'df': constraints.positive, 'loc': constraints.real, 'scale': constraints.positive}
    support = constraints.real
    has_rsample = True
    arg_names = ('df', 'loc', 'scale')

    def __init__(self, df, loc=0.0, scale=1.0, validate_args=None):
        self.df, self.loc, self.scale = broadcast_all(df, loc, scale)
        super().__init__(self.df.size())

    def _like(self):
        return self.df

    @property
    def mean(self):
        return torch.where(self.df <= 1, torch.full_like(self.loc, math.nan), self.loc)

    @property
    def mode(self):
        return self.loc

    @property
    def variance(self):
        v = torch.where(self.df > 2, self.scale.pow(2) * self.df / (self.df - 2), torch.full_like(self.df, math.inf))
        return torch.where(self.df <= 1, torch.full_like(self.df, math.nan), v)

    def log_prob(self, value):
        y = (value - self.loc) / self.scale
        z = self.scale.log() + 0.5 * self.df.log() + 0.5 * math.log(math.pi) + torch.lgamma(0.5 * self.df) - torch.lgamma(0.5 * (self.df + 1.0))
        return -0.5 * (self.df + 1.0) * torch.log1p(y ** 2.0 / self.df) - z

    def entropy(self):
        a, b = 0.5 * self.df, 0.5 * (self.df + 1)
        beta = torch.lgamma(a) + math.lgamma(0.5) - torch.lgamma(b)
        return self.scale.log() + b * (torch.digamma(b) - torch.digamma(a)) + 0.5 * self.df.log() + beta


class _Rate(ExponentialFamily):
    has_rsample = True
    arg_names = ('rate',)

    def __init__(self, rate, validate_args=None):
        (self.rate,) = broadcast_all(rate)
        super().__init__(self.rate.size())

    def _like(self):
        return self.rate


class Exponential(_Rate):
    arg_constraints = {'rate': constraints.positive}
    support = constraints.nonnegative

    @property
    def mean(self):
        return self.rate.reciprocal()

    @property
    def mode(self):
        return torch.zeros_like(self.rate)

    @property
    def stddev(self):
        return self.rate.reciprocal()

    @property
    def variance(self):
        return self.rate.pow(-2)

    def rsample(self, sample_shape=torch.Size()):
        return -torch.log(self._rand(sample_shape)) / self.rate

    def log_prob(self, value):
        return self.rate.log() - self.rate * value

    def cdf(self, value):
        return 1 - torch.exp(-self.rate * value)

    def icdf(self, value):
        return -torch.log1p(-value) / self.rate

    def entropy(self):
        return 1.0 - torch.log(self.rate)


class Poisson(_Rate):
    arg_constraints = {'rate': constraints.nonnegative}
    support = constraints.nonnegative_integer
    has_rsample = False

    @property
    def mean(self):
        return self.rate

    @property
    def mode(self):
        return self.rate.floor()

    @property
    def variance(self):
        return self.rate

    def log_prob(self, value):
        rate, value = broadcast_all(self.rate, value)
        return value.xlogy(rate) - rate - (value + 1).lgamma()


class HalfNormal(Distribution):
    arg_constraints = {'scale': constraints.positive}
    support = constraints.nonnegative
    has_rsample = True
    arg_names = ('scale',)

    def __init__(self, scale, validate_args=None):
        (self.scale,) = broadcast_all(scale)
        super().__init__(self.scale.size())

    def _like(self):
        return self.scale

    @property
    def _normal(self):
        return Normal(0, self.scale)

    @property
    def mean(self):
        return self.scale * math.sqrt(2 / math.pi)

    @property
    def mode(self):
        return torch.zeros_like(self.scale)

    @property
    def variance(self):
        return self.scale.pow(2) * (1 - 2 / math.pi)

    def rsample(self, sample_shape=torch.Size()):
        return self._normal.rsample(sample_shape).abs()

    def log_prob(self, value):
        p = self._normal.log_prob(value) + math.log(2)
        return torch.where(value >= 0, p, torch.full_like(p, -math.inf))

    def cdf(self, value):
        return 2 * self._normal.cdf(value) - 1

    def icdf(self, value):
        return self._normal.icdf((value + 1) / 2)

    def entropy(self):
        return self._normal.entropy() - math.log(2)


class Dirichlet(ExponentialFamily):
    arg_constraints = {'concentration': constraints.independent(constraints.positive, 1)}
    support = constraints.simplex
    has_rsample = True
    arg_names = ('concentration',)

    def __init__(self, concentration, validate_args=None):
        if concentration.dim() < 1:
            raise ValueError('`concentration` parameter must be at least one-dimensional.')
        self.concentration = concentration
        super().__init__(concentration.shape[:-1], concentration.shape[-1:])

    def _like(self):
        return self.concentration

    @property
    def mean(self):
        return self.concentration / self.concentration.sum(-1, True)

    @property
    def variance(self):
        total = self.concentration.sum(-1, True)
        return self.concentration * (total - self.concentration) / (total.pow(2) * (total + 1))

    def log_prob(self, value):
        c = self.concentration
        return torch.xlogy(c - 1.0, value).sum(-1) + torch.lgamma(c.sum(-1)) - torch.lgamma(c).sum(-1)

    def entropy(self):
        c = self.concentration
        total = c.sum(-1)
        rest = (c.size(-1) - total) * torch.digamma(total) + ((c - 1.0) * torch.digamma(c)).sum(-1)
        return torch.lgamma(c).sum(-1) - torch.lgamma(total) - rest
