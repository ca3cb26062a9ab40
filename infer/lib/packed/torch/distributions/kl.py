# This file defines the Kullback-Leibler divergence: one number per batch entry.
import torch
from .continuous import Exponential, Gamma, Laplace, LogNormal, Normal, Poisson
from .discrete import Bernoulli, Categorical, OneHotCategorical
from .distribution import sum_rightmost
from .multivariate import Independent

_REGISTERED = {}


def register_kl(type_p, type_q):
    def decorator(fn):
        _REGISTERED[type_p, type_q] = fn
        return fn
    return decorator


def kl_divergence(p, q):
    for a in type(p).__mro__:
        for b in type(q).__mro__:
            if (a, b) in _REGISTERED:
                return _REGISTERED[a, b](p, q)
    return torch._stand_in(p._unshown('entropy', p.batch_shape) + q._unshown('entropy', q.batch_shape), what='torch.distributions.kl_divergence')


@register_kl(Normal, Normal)
def _normal(p, q):
    ratio = (p.scale / q.scale).pow(2)
    t1 = ((p.loc - q.loc) / q.scale).pow(2)
    return 0.5 * (ratio + t1 - 1 - ratio.log())


@register_kl(LogNormal, LogNormal)
def _log_normal(p, q):
    return _normal(p, q)


@register_kl(Laplace, Laplace)
def _laplace(p, q):
    ratio = p.scale / q.scale
    distance = (p.loc - q.loc).abs()
    return -ratio.log() + distance / q.scale + ratio * torch.exp(-distance / p.scale) - 1


@register_kl(Bernoulli, Bernoulli)
def _bernoulli(p, q):
    plus, minus = torch.nn.functional.softplus, 1 - p.probs
    t1 = p.probs * (plus(-q.logits) - plus(-p.logits))
    t1 = torch.where(q.probs == 0, torch.full_like(t1, float('inf')), t1)
    t1 = torch.where(p.probs == 0, torch.zeros_like(t1), t1)
    t2 = minus * (plus(q.logits) - plus(p.logits))
    t2 = torch.where(q.probs == 1, torch.full_like(t2, float('inf')), t2)
    t2 = torch.where(p.probs == 1, torch.zeros_like(t2), t2)
    return t1 + t2


@register_kl(Categorical, Categorical)
def _categorical(p, q):
    t = p.probs * (p.logits - q.logits)
    t = torch.where((q.probs == 0).expand_as(t), torch.full_like(t, float('inf')), t)
    t = torch.where((p.probs == 0).expand_as(t), torch.zeros_like(t), t)
    return t.sum(-1)


@register_kl(OneHotCategorical, OneHotCategorical)
def _one_hot(p, q):
    return _categorical(p, q)


@register_kl(Exponential, Exponential)
def _exponential(p, q):
    ratio = q.rate / p.rate
    return -ratio.log() + ratio - 1


@register_kl(Gamma, Gamma)
def _gamma(p, q):
    t1 = q.concentration * (p.rate / q.rate).log()
    t2 = torch.lgamma(q.concentration) - torch.lgamma(p.concentration)
    t3 = (p.concentration - q.concentration) * torch.digamma(p.concentration)
    return t1 + t2 + t3 + (q.rate - p.rate) * (p.concentration / p.rate)


@register_kl(Poisson, Poisson)
def _poisson(p, q):
    return p.rate * (p.rate.log() - q.rate.log()) - (p.rate - q.rate)


@register_kl(Independent, Independent)
def _independent(p, q):
    if p.reinterpreted_batch_ndims != q.reinterpreted_batch_ndims:
        raise NotImplementedError
    return sum_rightmost(kl_divergence(p.base_dist, q.base_dist), p.reinterpreted_batch_ndims)
