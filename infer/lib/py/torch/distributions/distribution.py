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

    def rsample(self, sample_shape=torch.Size()):
        like = self._like()
        return torch._stand_in(torch.empty(self._extended_shape(sample_shape), dtype=like.dtype, device=like.device))

    def sample(self, sample_shape=torch.Size()):
        return self.rsample(sample_shape)

    def sample_n(self, n):
        return self.sample(torch.Size((n,)))

    @property
    def mean(self):
        return self.rsample()

    @property
    def mode(self):
        return self.rsample()

    @property
    def variance(self):
        return self.rsample()

    @property
    def stddev(self):
        return self.variance.sqrt()

    def _batch(self):
        like = self._like()
        return torch._stand_in(torch.empty(self._batch_shape, dtype=like.dtype, device=like.device))

    def entropy(self):
        return self._batch()

    def perplexity(self):
        return torch.exp(self.entropy())

    # The value must broadcast with batch and event shape; event axes are summed.
    def log_prob(self, value):
        p = value + self.rsample()
        for _ in self._event_shape:
            p = p.sum(-1)
        return p

    def cdf(self, value):
        return self.log_prob(value)

    def icdf(self, value):
        return self.log_prob(value)

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
