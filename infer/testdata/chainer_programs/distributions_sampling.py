# entry: forward
# arg: m:f32[3,2]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(m):
    n = chainer.distributions.Normal(m, scale=np.ones_like(m))
    s = n.sample((4,))
    g = chainer.distributions.Gamma(np.abs(m) + 1, np.ones_like(m))
    c = chainer.distributions.Categorical(logit=m)
    mv = chainer.distributions.MultivariateNormal(loc=m, scale_tril=np.tile(np.eye(2, dtype='f'), (3, 1, 1)))
    b = chainer.distributions.Bernoulli(logit=m)
    i = chainer.distributions.Independent(n)
    return s, n.log_prob(s), g.sample(), g.mean, c.sample(5), c.entropy, mv.sample(2), mv.log_prob(m), b.sample(), b.mean, i.log_prob(m), i.event_shape, n.batch_shape, chainer.kl_divergence(n, n), n.icdf(np.full_like(m, .5)), n.cdf(m)
