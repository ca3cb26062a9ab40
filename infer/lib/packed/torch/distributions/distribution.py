# This file defines the base of distributions.
import torch


class Distribution:
    has_rsample = False
    has_enumerate_support = False
    support = None
    arg_constraints = {}
    _validate_args = True

    def __init__(self, batch_shape=torch.Size(), event_shape=torch.Size(), validate_args=None):
        self._batch_shape = torch.Size(batch_shape)
        self._event_shape = torch.Size(event_shape)

    @staticmethod
    def set_default_validate_args(value):
        pass

    @property
    def batch_shape(self):
        return self._batch_shape

    @property
    def event_shape(self):
        return self._event_shape

    def _extended_shape(self, sample_shape=torch.Size()):
        return torch.Size(tuple(sample_shape) + tuple(self._batch_shape) + tuple(self._event_shape))

    # What samples are like: a tensor of the right dtype and device.
    def _like(self):
        raise NotImplementedError

    # A tensor of a shape whose elements are not computed.
    def _unshown(self, what, shape):
        like = self._like()
        return torch._stand_in(torch.empty(shape, dtype=like.dtype, device=like.device), what=f'torch.distributions.{type(self).__name__}.{what}')

    # Random numbers between 0, which never comes, and 1; of a standard normal distribution.
    def _rand(self, sample_shape):
        like = self._like()
        tiny = torch.finfo(like.dtype).tiny
        return torch.rand(self._extended_shape(sample_shape), dtype=like.dtype, device=like.device).clamp(min=tiny)

    def _randn(self, sample_shape):
        like = self._like()
        return torch.randn(self._extended_shape(sample_shape), dtype=like.dtype, device=like.device)

    def rsample(self, sample_shape=torch.Size()):
        return self._unshown('rsample', self._extended_shape(sample_shape))

    def sample(self, sample_shape=torch.Size()):
        with torch.no_grad():
            return self.rsample(sample_shape)

    def sample_n(self, n):
        return self.sample(torch.Size((n,)))

    @property
    def mean(self):
        return self._unshown('mean', self._extended_shape())

    @property
    def mode(self):
        return self._unshown('mode', self._extended_shape())

    @property
    def variance(self):
        return self._unshown('variance', self._extended_shape())

    @property
    def stddev(self):
        return self.variance.sqrt()

    def entropy(self):
        return self._unshown('entropy', self._batch_shape)

    def perplexity(self):
        return torch.exp(self.entropy())

    # The value must broadcast with batch and event shape; event axes are summed.
    def log_prob(self, value):
        return self._of_value('log_prob', value)

    def cdf(self, value):
        return self._of_value('cdf', value)

    def icdf(self, value):
        return self._of_value('icdf', value)

    def _of_value(self, what, value):
        p = value + self._unshown(what, self._extended_shape())
        return sum_rightmost(p, len(self._event_shape))

    def expand(self, batch_shape, _instance=None):
        new = type(self).__new__(type(self))
        new.__dict__.update(self.__dict__)
        old = self._batch_shape
        new._batch_shape = torch.Size(batch_shape)
        for name in self.arg_names:
            p = getattr(self, name)
            if isinstance(p, torch.Tensor):
                setattr(new, name, p.expand(tuple(batch_shape) + tuple(p.shape[len(old):])))
        return new

    arg_names = ()


class ExponentialFamily(Distribution):
    pass


def broadcast_all(*values):
    tensors = [v for v in values if isinstance(v, torch.Tensor)]
    if not tensors:
        return tuple([torch.tensor(float(v)) for v in values])
    like = tensors[0]
    return torch.broadcast_tensors(*[v if isinstance(v, torch.Tensor) else torch.tensor(v, dtype=like.dtype, device=like.device)
                                     for v in values])


def sum_rightmost(x, n):
    for _ in range(n):
        x = x.sum(-1)
    return x


# Probabilities that have a logarithm, and whose complement has one.
def clamp_probs(probs):
    eps = torch.finfo(probs.dtype).eps
    return probs.clamp(min=eps, max=1 - eps)
