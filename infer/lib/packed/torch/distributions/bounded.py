# This file defines distributions on an interval, a circle and the simplex.
import math
import torch
from . import constraints
from torch.nn import functional as F
from .continuous import Normal
from .discrete import _one_of
from .distribution import Distribution, ExponentialFamily, broadcast_all, clamp_probs
from .multivariate import TransformedDistribution
from .transforms import StickBreakingTransform


class ContinuousBernoulli(ExponentialFamily):
    arg_constraints = {'probs': constraints.unit_interval, 'logits': constraints.real}
    support = constraints.unit_interval
    has_rsample = True
    arg_names = ('_param',)

    def __init__(self, probs=None, logits=None, lims=(0.499, 0.501), validate_args=None):
        (self._param,) = broadcast_all(_one_of(probs, logits))
        self._given = 'probs' if logits is None else 'logits'
        self._lims = lims
        super().__init__(self._param.size())

    def _like(self):
        return self._param

    @property
    def probs(self):
        return clamp_probs(self._param if self._given == 'probs' else torch.sigmoid(self._param))

    @property
    def logits(self):
        return self._param if self._given == 'logits' else self.probs.log() - (-self.probs).log1p()

    @property
    def param_shape(self):
        return self._param.size()

    def icdf(self, value):
        p = self.probs
        return ((-p + value * (2.0 * p - 1.0)).log1p() - (-p).log1p()) / (p.log() - (-p).log1p())

    def rsample(self, sample_shape=torch.Size()):
        return self.icdf(self._rand(sample_shape))

    def log_prob(self, value):
        logits, value = broadcast_all(self.logits, value)
        return -F.binary_cross_entropy_with_logits(logits, value, reduction='none') + torch.zeros_like(self._param)


class Kumaraswamy(Distribution):
    arg_constraints = {'concentration1': constraints.positive, 'concentration0': constraints.positive}
    support = constraints.unit_interval
    has_rsample = True
    arg_names = ('concentration1', 'concentration0')

    def __init__(self, concentration1, concentration0, validate_args=None):
        self.concentration1, self.concentration0 = broadcast_all(concentration1, concentration0)
        super().__init__(self.concentration1.size())

    def _like(self):
        return self.concentration1

    def rsample(self, sample_shape=torch.Size()):
        u = self._rand(sample_shape)
        return (1 - u ** self.concentration0.reciprocal()) ** self.concentration1.reciprocal()

    def log_prob(self, value):
        a, b = self.concentration1, self.concentration0
        return a.log() + b.log() + (a - 1) * value.log() + (b - 1) * (-(value ** a)).log1p()


class VonMises(Distribution):
    arg_constraints = {'loc': constraints.real, 'concentration': constraints.positive}
    support = constraints.real
    arg_names = ('loc', 'concentration')

    def __init__(self, loc, concentration, validate_args=None):
        self.loc, self.concentration = broadcast_all(loc, concentration)
        super().__init__(self.loc.size())

    def _like(self):
        return self.loc

    @property
    def mean(self):
        return self.loc

    @property
    def mode(self):
        return self.loc

    def log_prob(self, value):
        return self.concentration * torch.cos(value - self.loc) - math.log(2 * math.pi) - torch.special.i0e(self.concentration).log() - self.concentration


class LogisticNormal(TransformedDistribution):
    arg_constraints = {'loc': constraints.real, 'scale': constraints.positive}
    support = constraints.simplex
    has_rsample = True

    def __init__(self, loc, scale, validate_args=None):
        base = Normal(loc, scale)
        if not base.batch_shape:
            base = base.expand([1])
        super().__init__(base, StickBreakingTransform())

    @property
    def loc(self):
        return self.base_dist.base_dist.loc

    @property
    def scale(self):
        return self.base_dist.base_dist.scale
