# This file defines the discrete distributions and their relaxations.
import torch
from .distribution import Distribution, broadcast_all


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

    def _like(self):
        return self._param

    @property
    def probs(self):
        return self._param if self._given == 'probs' else torch.sigmoid(self._param)

    @property
    def logits(self):
        return self._param if self._given == 'logits' else torch.logit(self._param)

    @property
    def param_shape(self):
        return self._param.size()


class Bernoulli(_Binary):
    has_enumerate_support = True


class Geometric(_Binary):
    pass


class RelaxedBernoulli(_Binary):
    has_rsample = True

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        self.temperature = temperature
        super().__init__(probs, logits)


class Binomial(_Binary):
    def __init__(self, total_count=1, probs=None, logits=None, validate_args=None):
        self.total_count = total_count
        super().__init__(probs, logits)
        if isinstance(total_count, torch.Tensor):
            self.total_count, self._param = broadcast_all(total_count, self._param)
            self._batch_shape = self._param.size()


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
        return self._param if self._given == 'probs' else self._param.softmax(-1)

    @property
    def logits(self):
        return self._param - self._param.logsumexp(dim=-1, keepdim=True) if self._given == 'logits' else self._param.log()

    @property
    def param_shape(self):
        return self._param.size()


class Categorical(_Classes):
    has_enumerate_support = True

    def rsample(self, sample_shape=torch.Size()):
        return torch._stand_in(torch.empty(self._extended_shape(sample_shape), dtype=torch.int64, device=self._param.device))

    @property
    def mean(self):
        return self._batch()

    @property
    def variance(self):
        return self._batch()

    def log_prob(self, value):
        return value + self._batch()


class OneHotCategorical(_Classes):
    _one_hot = True


class OneHotCategoricalStraightThrough(OneHotCategorical):
    has_rsample = True


class RelaxedOneHotCategorical(_Classes):
    has_rsample = True
    _one_hot = True

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        self.temperature = temperature
        super().__init__(probs, logits)


class Multinomial(_Classes):
    _one_hot = True

    def __init__(self, total_count=1, probs=None, logits=None, validate_args=None):
        self.total_count = total_count
        super().__init__(probs, logits)
