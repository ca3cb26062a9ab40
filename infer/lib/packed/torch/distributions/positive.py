# This file defines distributions of positive numbers, and FisherSnedecor and GeneralizedPareto.
import math
import torch
from . import constraints
from .continuous import Cauchy, Gamma, _EULER
from .distribution import Distribution, broadcast_all


class _TwoParameters(Distribution):
    has_rsample = True

    def _like(self):
        return getattr(self, self.arg_names[0])


class HalfCauchy(Distribution):
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
    def _cauchy(self):
        return Cauchy(0, self.scale)

    @property
    def mean(self):
        return torch.full(self._extended_shape(), math.inf, dtype=self.scale.dtype, device=self.scale.device)

    @property
    def mode(self):
        return torch.zeros_like(self.scale)

    @property
    def variance(self):
        return self._cauchy.variance

    def rsample(self, sample_shape=torch.Size()):
        return self._cauchy.rsample(sample_shape).abs()

    def log_prob(self, value):
        value = torch.as_tensor(value, dtype=self.scale.dtype, device=self.scale.device)
        p = self._cauchy.log_prob(value) + math.log(2)
        return torch.where(value >= 0, p, torch.full_like(p, -math.inf))

    def cdf(self, value):
        return 2 * self._cauchy.cdf(value) - 1

    def icdf(self, prob):
        return self._cauchy.icdf((prob + 1) / 2)

    def entropy(self):
        return self._cauchy.entropy() - math.log(2)


class InverseGamma(_TwoParameters):
    arg_constraints = {'concentration': constraints.positive, 'rate': constraints.positive}
    support = constraints.positive
    arg_names = ('concentration', 'rate')

    def __init__(self, concentration, rate, validate_args=None):
        self.concentration, self.rate = broadcast_all(concentration, rate)
        super().__init__(self.concentration.size())

    @property
    def mean(self):
        return torch.where(self.concentration > 1, self.rate / (self.concentration - 1), torch.full_like(self.rate, math.inf))

    @property
    def mode(self):
        return self.rate / (self.concentration + 1)

    @property
    def variance(self):
        c = self.concentration
        return torch.where(c > 2, self.rate.square() / ((c - 1).square() * (c - 2)), torch.full_like(self.rate, math.inf))

    def rsample(self, sample_shape=torch.Size()):
        return Gamma(self.concentration, self.rate).rsample(sample_shape).reciprocal()

    def log_prob(self, value):
        return Gamma(self.concentration, self.rate).log_prob(value.reciprocal()) - 2 * value.log()

    def entropy(self):
        c = self.concentration
        return c + self.rate.log() + c.lgamma() - (1 + c) * c.digamma()


class Weibull(_TwoParameters):
    arg_constraints = {'scale': constraints.positive, 'concentration': constraints.positive}
    support = constraints.positive
    arg_names = ('scale', 'concentration')

    def __init__(self, scale, concentration, validate_args=None):
        self.scale, self.concentration = broadcast_all(scale, concentration)
        super().__init__(self.scale.size())

    @property
    def mean(self):
        return self.scale * torch.exp(torch.lgamma(1 + self.concentration.reciprocal()))

    @property
    def mode(self):
        c = self.concentration
        return self.scale * ((c - 1) / c) ** c.reciprocal()

    @property
    def variance(self):
        inverse = self.concentration.reciprocal()
        return self.scale.pow(2) * (torch.exp(torch.lgamma(1 + 2 * inverse)) - torch.exp(2 * torch.lgamma(1 + inverse)))

    def rsample(self, sample_shape=torch.Size()):
        return self.scale * (-torch.log(self._rand(sample_shape))) ** self.concentration.reciprocal()

    def log_prob(self, value):
        c, x = self.concentration, value / self.scale
        return c.log() - self.scale.log() + (c - 1) * x.log() - x ** c

    def cdf(self, value):
        return 1 - torch.exp(-((value / self.scale) ** self.concentration))

    def entropy(self):
        inverse = self.concentration.reciprocal()
        return _EULER * (1 - inverse) + torch.log(self.scale * inverse) + 1


class Pareto(_TwoParameters):
    arg_constraints = {'alpha': constraints.positive, 'scale': constraints.positive}

    @constraints.dependent_property(is_discrete=False, event_dim=0)
    def support(self):
        return constraints.greater_than_eq(self.scale)

    arg_names = ('scale', 'alpha')

    def __init__(self, scale, alpha, validate_args=None):
        self.scale, self.alpha = broadcast_all(scale, alpha)
        super().__init__(self.scale.size())

    @property
    def mean(self):
        a = self.alpha.clamp(min=1)
        return a * self.scale / (a - 1)

    @property
    def mode(self):
        return self.scale

    @property
    def variance(self):
        a = self.alpha.clamp(min=2)
        return self.scale.pow(2) * a / ((a - 1).pow(2) * (a - 2))

    def rsample(self, sample_shape=torch.Size()):
        return self.scale * self._rand(sample_shape) ** -self.alpha.reciprocal()

    def log_prob(self, value):
        return self.alpha.log() + self.alpha * self.scale.log() - (self.alpha + 1) * value.log()

    def cdf(self, value):
        return 1 - (self.scale / value) ** self.alpha

    def entropy(self):
        return (self.scale / self.alpha).log() + (1 + self.alpha.reciprocal())


class FisherSnedecor(_TwoParameters):
    arg_constraints = {'df1': constraints.positive, 'df2': constraints.positive}
    support = constraints.positive
    arg_names = ('df1', 'df2')

    def __init__(self, df1, df2, validate_args=None):
        self.df1, self.df2 = broadcast_all(df1, df2)
        super().__init__(self.df1.size())

    @property
    def mean(self):
        df2 = torch.where(self.df2 <= 2, torch.full_like(self.df2, math.nan), self.df2)
        return df2 / (df2 - 2)

    @property
    def mode(self):
        return (self.df1 - 2) / self.df1 * self.df2 / (self.df2 + 2)

    @property
    def variance(self):
        df2 = torch.where(self.df2 <= 4, torch.full_like(self.df2, math.nan), self.df2)
        return 2 * df2.pow(2) * (self.df1 + df2 - 2) / (self.df1 * (df2 - 2).pow(2) * (df2 - 4))

    def rsample(self, sample_shape=torch.Size()):
        a = Gamma(self.df1 * 0.5, self.df1).rsample(sample_shape)
        b = Gamma(self.df2 * 0.5, self.df2).rsample(sample_shape)
        return a / b

    def log_prob(self, value):
        a, b = self.df1 * 0.5, self.df2 * 0.5
        ratio = self.df1 / self.df2
        return (a + b).lgamma() - a.lgamma() - b.lgamma() + a * ratio.log() + (a - 1) * torch.log(value) - (a + b) * torch.log1p(ratio * value)

    def entropy(self):
        raise NotImplementedError


class GeneralizedPareto(Distribution):
    arg_constraints = {'loc': constraints.real, 'scale': constraints.positive, 'concentration': constraints.real}
    has_rsample = True
    arg_names = ('loc', 'scale', 'concentration')

    def __init__(self, loc, scale, concentration, validate_args=None):
        self.loc, self.scale, self.concentration = broadcast_all(loc, scale, concentration)
        super().__init__(self.loc.size())

    def _like(self):
        return self.loc

    @property
    def mode(self):
        return self.loc

    def entropy(self):
        return torch.log(self.scale) + self.concentration + 1
