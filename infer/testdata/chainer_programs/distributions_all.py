# entry: forward
# arg: a:f32[4,3]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(a):
    D = chainer.distributions
    p = np.abs(a) + 1
    q = (p / (p.sum(axis=1, keepdims=True))).astype(np.float32)
    out = []
    for d in (D.Beta(p, p), D.Cauchy(a, p), D.Chisquare(p), D.Exponential(p), D.Gamma(p, p), D.Gumbel(a, p), D.LogNormal(a, p), D.Pareto(p, p), D.Geometric(q), D.Poisson(p)):
        s = d.sample((2,))
        out.append((s, d.log_prob(np.abs(s.array) + 1 if not isinstance(d, (D.Geometric, D.Poisson)) else s.array.astype(np.float32)), d.mean, d.variance, d.batch_shape, d.event_shape))
    d = D.Dirichlet(p)
    out.append((d.sample(5), d.batch_shape, d.event_shape, d.mean, d.variance, d.entropy, d.log_prob(q)))
    o = D.OneHotCategorical(q)
    out.append((o.batch_shape, o.event_shape, o.log_prob(q), o.mean))
    m = D.MultivariateNormal(a, scale_tril=np.stack([np.eye(3, dtype=np.float32)] * 4))
    out.append((m.sample(2), m.log_prob(a), m.entropy, m.batch_shape, m.event_shape))
    return out
