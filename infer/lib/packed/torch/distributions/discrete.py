# This file defines the discrete distributions and their relaxations.
import math
import torch
from . import constraints
from torch.nn import functional as F
from .distribution import Distribution, broadcast_all, clamp_probs
from .utils import probs_to_logits


def _one_of(probs, logits):
    if (probs is None) == (logits is None):
        raise ValueError('Either `probs` or `logits` must be specified, but not both.')
    return logits if probs is None else probs


class _Binary(Distribution):
    arg_names = ('_param',)

    def __init__(self, probs=None, logits=None, validate_args=None):
        (self._param,) = broadcast_all(_one_of(probs, logits))
        self._given = 'probs' if logits is None else 'logits'
        super().__init__(self._param.size())

    def _parameter(self, name):
        return self._param if name == self._given else self.__dict__.get(name)

    def _like(self):
        return self._param

    @property
    def probs(self):
        return self._param if self._given == 'probs' else torch.sigmoid(self._param)

    @property
    def logits(self):
        return self._param if self._given == 'logits' else probs_to_logits(self._param, is_binary=True)

    @property
    def param_shape(self):
        return self._param.size()


class Bernoulli(_Binary):
    arg_constraints = {'probs': constraints.unit_interval, 'logits': constraints.real}
    support = constraints.boolean
    has_enumerate_support = True

    @property
    def mean(self):
        return self.probs

    @property
    def mode(self):
        p = self.probs
        return torch.where(p == 0.5, torch.full_like(p, math.nan), (p >= 0.5).to(p))

    @property
    def variance(self):
        return self.probs * (1 - self.probs)

    def sample(self, sample_shape=torch.Size()):
        with torch.no_grad():
            return torch.bernoulli(self.probs.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value):
        logits, value = broadcast_all(self.logits, value)
        return -F.binary_cross_entropy_with_logits(logits, value, reduction='none')

    def entropy(self):
        return F.binary_cross_entropy_with_logits(self.logits, self.probs, reduction='none')


class Geometric(_Binary):
    arg_constraints = {'probs': constraints.unit_interval, 'logits': constraints.real}
    support = constraints.nonnegative_integer

    @property
    def mean(self):
        return 1.0 / self.probs - 1.0

    @property
    def mode(self):
        return torch.zeros_like(self.probs)

    @property
    def variance(self):
        return (1.0 / self.probs - 1.0) / self.probs

    def log_prob(self, value):
        value, probs = broadcast_all(value, self.probs)
        probs = torch.where((probs == 1) & (value == 0), torch.zeros_like(probs), probs)
        return value * (-probs).log1p() + self.probs.log()

    def entropy(self):
        return F.binary_cross_entropy_with_logits(self.logits, self.probs, reduction='none') / self.probs


class RelaxedBernoulli(_Binary):
    arg_constraints = {'probs': constraints.unit_interval, 'logits': constraints.real}
    support = constraints.unit_interval
    has_rsample = True

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        self.temperature = temperature
        super().__init__(probs, logits)

    def rsample(self, sample_shape=torch.Size()):
        p = clamp_probs(self.probs.expand(self._extended_shape(sample_shape)))
        u = clamp_probs(self._rand(sample_shape))
        return torch.sigmoid((u.log() - (-u).log1p() + p.log() - (-p).log1p()) / self.temperature)


class Binomial(_Binary):
    arg_constraints = {'total_count': constraints.nonnegative_integer,
                       'probs': constraints.unit_interval,
                       'logits': constraints.real}

    @constraints.dependent_property(is_discrete=True, event_dim=0)
    def support(self):
        return constraints.integer_interval(0, self.total_count)

    arg_names = ('total_count', '_param')

    def __init__(self, total_count=1, probs=None, logits=None, validate_args=None):
        super().__init__(probs, logits)
        count, self._param = broadcast_all(total_count, self._param)
        self.total_count = count.type_as(self._param)
        self._batch_shape = self._param.size()

    @property
    def mean(self):
        return self.total_count * self.probs

    @property
    def variance(self):
        return self.total_count * self.probs * (1 - self.probs)

    def log_prob(self, value):
        n, logits = self.total_count, self.logits
        term = n * logits.clamp(min=0) + n * torch.log1p(torch.exp(-torch.abs(logits))) - torch.lgamma(n + 1)
        return value * logits - torch.lgamma(value + 1) - torch.lgamma(n - value + 1) - term


class _Classes(Distribution):
    arg_names = ('_param',)
    # Whether a sample has an axis of classes.
    _one_hot = False

    def __init__(self, probs=None, logits=None, validate_args=None):
        self._param = _one_of(probs, logits)
        self._given = 'probs' if logits is None else 'logits'
        if self._param.dim() < 1:
            raise ValueError(f'`{self._given}` parameter must be at least one-dimensional.')
        self._num_events = self._param.size(-1)
        super().__init__(self._param.size()[:-1], self._param.size()[-1:] if self._one_hot else torch.Size())

    def _like(self):
        return self._param

    @property
    def probs(self):
        return self._param / self._param.sum(-1, keepdim=True) if self._given == 'probs' else self.logits.softmax(-1)

    @property
    def logits(self):
        return self._param - self._param.logsumexp(dim=-1, keepdim=True) if self._given == 'logits' else probs_to_logits(self.probs)

    @property
    def param_shape(self):
        return self._param.size()

    # The numbers of classes, drawn by their probabilities.
    def _drawn(self, sample_shape):
        with torch.no_grad():
            n = 1
            for s in sample_shape:
                n = n * s
            probs = self.probs.reshape(-1, self._num_events)
            return torch.multinomial(probs, n, True).T.reshape(tuple(sample_shape) + tuple(self._batch_shape))

    def _one_hot_of(self, classes):
        return F.one_hot(classes, self._num_events).to(self._param)

    def _entropy(self):
        logits = self.logits
        return -(logits.clamp(min=torch.finfo(logits.dtype).min) * self.probs).sum(-1)


class Categorical(_Classes):
    arg_constraints = {'probs': constraints.simplex, 'logits': constraints.real_vector}

    @constraints.dependent_property(is_discrete=True, event_dim=0)
    def support(self):
        return constraints.integer_interval(0, self._num_events - 1)

    has_enumerate_support = True

    def rsample(self, sample_shape=torch.Size()):
        return self._drawn(sample_shape)

    @property
    def mean(self):
        return torch.full(self._batch_shape, math.nan, dtype=self._param.dtype, device=self._param.device)

    @property
    def mode(self):
        return self.probs.argmax(-1)

    @property
    def variance(self):
        return self.mean

    def log_prob(self, value):
        value, log_pmf = torch.broadcast_tensors(value.long().unsqueeze(-1), self.logits)
        return log_pmf.gather(-1, value[..., :1]).squeeze(-1)

    def entropy(self):
        return self._entropy()


class OneHotCategorical(_Classes):
    arg_constraints = {'probs': constraints.simplex, 'logits': constraints.real_vector}
    support = constraints.one_hot
    _one_hot = True

    @property
    def mean(self):
        return self.probs

    @property
    def mode(self):
        return self._one_hot_of(self.probs.argmax(-1))

    @property
    def variance(self):
        return self.probs * (1 - self.probs)

    def sample(self, sample_shape=torch.Size()):
        return self._one_hot_of(self._drawn(sample_shape))

    def log_prob(self, value):
        logits, value = broadcast_all(self.logits, value)
        return logits.gather(-1, value.max(-1)[1].unsqueeze(-1)).squeeze(-1)

    def entropy(self):
        return self._entropy()


class OneHotCategoricalStraightThrough(OneHotCategorical):
    has_rsample = True

    def rsample(self, sample_shape=torch.Size()):
        probs = self.probs
        return self.sample(sample_shape) + (probs - probs.detach())


class RelaxedOneHotCategorical(_Classes):
    arg_constraints = {'probs': constraints.simplex, 'logits': constraints.real_vector}
    support = constraints.simplex
    has_rsample = True
    _one_hot = True

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        self.temperature = temperature
        super().__init__(probs, logits)

    def rsample(self, sample_shape=torch.Size()):
        gumbels = -((-clamp_probs(self._rand(sample_shape)).log()).log())
        return ((self.logits + gumbels) / self.temperature).softmax(-1)


class Multinomial(_Classes):
    arg_constraints = {'probs': constraints.simplex, 'logits': constraints.real_vector}

    @constraints.dependent_property(is_discrete=True, event_dim=1)
    def support(self):
        return constraints.multinomial(self.total_count)

    _one_hot = True

    def __init__(self, total_count=1, probs=None, logits=None, validate_args=None):
        self.total_count = total_count
        super().__init__(probs, logits)

    @property
    def mean(self):
        return self.probs * self.total_count

    @property
    def variance(self):
        return self.total_count * self.probs * (1 - self.probs)

    def log_prob(self, value):
        logits, value = broadcast_all(self.logits, value)
        logits = torch.where((value == 0) & (logits == -math.inf), torch.zeros_like(logits), logits)
        return torch.lgamma(value.sum(-1) + 1) - torch.lgamma(value + 1).sum(-1) + (logits * value).sum(-1)


class NegativeBinomial(_Binary):
    arg_constraints = {'total_count': constraints.greater_than_eq(0),
                       'probs': constraints.half_open_interval(0.0, 1.0),
                       'logits': constraints.real}
    support = constraints.nonnegative_integer
    arg_names = ('total_count', '_param')

    def __init__(self, total_count, probs=None, logits=None, validate_args=None):
        super().__init__(probs, logits)
        count, self._param = broadcast_all(total_count, self._param)
        self.total_count = count.type_as(self._param)
        self._batch_shape = self._param.size()

    @property
    def mean(self):
        return self.total_count * torch.exp(self.logits)

    @property
    def mode(self):
        return ((self.total_count - 1) * self.logits.exp()).floor().clamp(min=0.0)

    @property
    def variance(self):
        return self.mean / torch.sigmoid(-self.logits)

    def sample(self, sample_shape=torch.Size()):
        return self._unshown('sample', self._extended_shape(sample_shape))

    def log_prob(self, value):
        n, logits = self.total_count, self.logits
        p = n * F.logsigmoid(-logits) + value * F.logsigmoid(logits)
        return p + torch.lgamma(n + value) - torch.lgamma(1.0 + value) - torch.lgamma(n)

    def entropy(self):
        raise NotImplementedError
