# This file registers the divergences between two distributions of one kind.
import numpy
from chainer import functions as F
from ..distribution import kl_divergence, register_kl
from ._base import EULER
from .continuous import Normal, Laplace, Gumbel, Uniform, LogNormal, Gamma, Beta, Exponential, Pareto
from .discrete import Bernoulli, Categorical, Geometric, OneHotCategorical, Poisson
from .multivariate import Dirichlet, Independent, MultivariateNormal, triangular_inv


@register_kl(Normal, Normal)
def _kl(p, q):
    return q.log_scale - p.log_scale + 0.5 * (p.variance + (p.loc - q.loc) ** 2) / q.variance - 0.5


@register_kl(Laplace, Laplace)
def _kl(p, q):
    diff = abs(p.loc - q.loc)
    return F.log(q.scale) - F.log(p.scale) + diff / q.scale + p.scale / q.scale * F.exp(-diff / p.scale) - 1


@register_kl(Gumbel, Gumbel)
def _kl(p, q):
    ratio = p.scale / q.scale
    return (q.log_scale - p.log_scale + EULER * (ratio - 1.) + F.exp((q.loc - p.loc) / q.scale + F.lgamma(ratio + 1.)) - 1
            + (p.loc - q.loc) / q.scale)


@register_kl(Uniform, Uniform)
def _kl(p, q):
    outside = numpy.logical_or(p.high.array > q.high.array, p.low.array < q.low.array)
    return F.where(outside, numpy.array(numpy.inf, p.high.dtype), -F.log(p.high - p.low) + F.log(q.high - q.low))


@register_kl(LogNormal, LogNormal)
def _kl(p, q):
    return 0.5 * ((p.mu - q.mu) ** 2 + p.sigma ** 2) / q.sigma ** 2 - 0.5 + F.log(q.sigma) - F.log(p.sigma)


@register_kl(Gamma, Gamma)
def _kl(p, q):
    return ((p.k - q.k) * F.digamma(p.k) - (F.lgamma(p.k) - F.lgamma(q.k)) + q.k * (F.log(q.theta) - F.log(p.theta))
            + p.k * (p.theta / q.theta - 1))


@register_kl(Beta, Beta)
def _kl(p, q):
    both, other = p.a + p.b, q.a + q.b
    return (-p.log_beta + q.log_beta + (p.a - q.a) * F.digamma(p.a) + (p.b - q.b) * F.digamma(p.b) + (other - both) * F.digamma(both))


@register_kl(Exponential, Exponential)
def _kl(p, q):
    return F.log(p.lam) - F.log(q.lam) + q.lam / p.lam - 1.


@register_kl(Pareto, Pareto)
def _kl(p, q):
    kl = q.alpha * (F.log(p.scale) - F.log(q.scale)) + F.log(p.alpha) - F.log(q.alpha) + (q.alpha - p.alpha) / p.alpha
    return F.where(p.scale.array >= q.scale.array, kl, numpy.array(numpy.inf, kl.dtype))


@register_kl(Geometric, Geometric)
def _kl(p, q):
    return (1 / p.p - 1) * (F.log(1 - p.p) - F.log(1 - q.p)) + F.log(p.p) - F.log(q.p)


@register_kl(Poisson, Poisson)
def _kl(p, q):
    return p.lam * (F.log(p.lam) - F.log(q.lam)) - p.lam + q.lam


@register_kl(Bernoulli, Bernoulli)
def _kl(p, q):
    return (p.logit - q.logit) * (p.p - 1.) - F.log(F.exp(-p.logit) + 1) + F.log(F.exp(-q.logit) + 1)


@register_kl(Categorical, Categorical)
def _kl(p, q):
    return F.sum(p.p * (p.log_p - q.log_p), axis=-1)


@register_kl(OneHotCategorical, OneHotCategorical)
def _kl(p, q):
    return F.sum(p.p * (p.log_p - q.log_p), axis=-1)


@register_kl(Dirichlet, Dirichlet)
def _kl(p, q):
    spread = F.digamma(p.alpha) - F.expand_dims(F.digamma(p.alpha0), axis=-1)
    return -p.log_beta + q.log_beta + F.sum((p.alpha - q.alpha) * spread, axis=-1)


@register_kl(MultivariateNormal, MultivariateNormal)
def _kl(p, q):
    inverse = triangular_inv(q.scale_tril.reshape(-1, q.d, q.d))
    trace = F.sum(F.matmul(inverse, p.scale_tril.reshape(-1, q.d, q.d)) ** 2, axis=(-1, -2)).reshape(p.batch_shape)
    mah = F.sum(F.matmul(inverse, (p.loc - q.loc).reshape(-1, p.d, 1)) ** 2, axis=-2).reshape(p.batch_shape)
    return q.logdet_scale - p.logdet_scale + 0.5 * trace + 0.5 * mah - 0.5 * p.d


@register_kl(Independent, Independent)
def _kl(p, q):
    if p.event_shape != q.event_shape:
        raise ValueError('Event shapes do not match.')
    inner, other = p.distribution, q.distribution
    if inner.event_shape != other.event_shape:
        raise NotImplementedError('KL between Independents with different event shapes not supported.')
    axes = tuple([-i - 1 for i in range(len(p.event_shape) - len(inner.event_shape))])
    return F.sum(kl_divergence(inner, other), axis=axes)
