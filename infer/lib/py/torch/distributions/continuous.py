# This file defines the continuous distributions of one variable, and Dirichlet.
import torch
from .distribution import Distribution, ExponentialFamily, broadcast_all


class _LocScale(ExponentialFamily):
    has_rsample = True
    arg_names = ('loc', 'scale')

    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = broadcast_all(loc, scale)
        super().__init__(self.loc.size())

    def _like(self):
        return self.loc


class Normal(_LocScale):
    @property
    def mean(self):
        return self.loc

    @property
    def stddev(self):
        return self.scale

    @property
    def variance(self):
        return self.scale.pow(2)


class Laplace(_LocScale):
    pass


class Gumbel(_LocScale):
    pass


class Cauchy(_LocScale):
    pass


class LogNormal(_LocScale):
    pass


class Uniform(Distribution):
    has_rsample = True
    arg_names = ('low', 'high')

    def __init__(self, low, high, validate_args=None):
        self.low, self.high = broadcast_all(low, high)
        super().__init__(self.low.size())

    def _like(self):
        return self.low


class _TwoRates(ExponentialFamily):
    has_rsample = True
    arg_names = ('concentration', 'rate')

    def __init__(self, concentration, rate, validate_args=None):
        self.concentration, self.rate = broadcast_all(concentration, rate)
        super().__init__(self.concentration.size())

    def _like(self):
        return self.concentration


class Gamma(_TwoRates):
    pass


class Chi2(Gamma):
    def __init__(self, df, validate_args=None):
        super().__init__(0.5 * df, 0.5)


class Beta(ExponentialFamily):
    has_rsample = True
    arg_names = ('concentration1', 'concentration0')

    def __init__(self, concentration1, concentration0, validate_args=None):
        self.concentration1, self.concentration0 = broadcast_all(concentration1, concentration0)
        super().__init__(self.concentration1.size())

    def _like(self):
        return self.concentration1


class StudentT(Distribution):
    has_rsample = True
    arg_names = ('df', 'loc', 'scale')

    def __init__(self, df, loc=0.0, scale=1.0, validate_args=None):
        self.df, self.loc, self.scale = broadcast_all(df, loc, scale)
        super().__init__(self.df.size())

    def _like(self):
        return self.df


class _Rate(ExponentialFamily):
    has_rsample = True
    arg_names = ('rate',)

    def __init__(self, rate, validate_args=None):
        (self.rate,) = broadcast_all(rate)
        super().__init__(self.rate.size())

    def _like(self):
        return self.rate


class Exponential(_Rate):
    pass


class Poisson(_Rate):
    has_rsample = False


class HalfNormal(Distribution):
    has_rsample = True
    arg_names = ('scale',)

    def __init__(self, scale, validate_args=None):
        (self.scale,) = broadcast_all(scale)
        super().__init__(self.scale.size())

    def _like(self):
        return self.scale


class Dirichlet(ExponentialFamily):
    has_rsample = True
    arg_names = ('concentration',)

    def __init__(self, concentration, validate_args=None):
        if concentration.dim() < 1:
            raise ValueError('`concentration` parameter must be at least one-dimensional.')
        self.concentration = concentration
        super().__init__(concentration.shape[:-1], concentration.shape[-1:])

    def _like(self):
        return self.concentration
