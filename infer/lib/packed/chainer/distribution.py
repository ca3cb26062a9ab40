# This file defines the base of distributions, and the divergences between two.
import copy


def _missing(*args):
    raise NotImplementedError


class Distribution:
    batch_shape = event_shape = covariance = entropy = mean = mode = params = stddev = support = variance = property(_missing)
    cdf = icdf = log_cdf = log_prob = log_survival_function = perplexity = prob = sample_n = survival_function = _missing

    def _copy_to(self, target):
        target.__dict__ = copy.copy(self.__dict__)
        return target

    def sample(self, sample_shape=()):
        shape = self.batch_shape + self.event_shape
        if isinstance(sample_shape, int):
            sample_shape = (sample_shape,)
        n = 1
        for size in sample_shape:
            n *= size
        return self.sample_n(n).reshape(sample_shape + shape)

    @property
    def xp(self):
        import numpy
        return numpy


_divergences = {}


def register_kl(Dist1, Dist2):
    def register(kl):
        _divergences[Dist1, Dist2] = kl
    return register


def kl_divergence(dist1, dist2):
    return _divergences[type(dist1), type(dist2)](dist1, dist2)


def cross_entropy(dist1, dist2):
    return dist1.entropy() + kl_divergence(dist1, dist2)
