# entry: forward
# arg: x:f32[4,3]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(x):
    d = chainer.distributions.Normal(x, log_scale=x)
    e = chainer.distributions.Normal(np.zeros((4, 3), np.float32), np.ones((4, 3), np.float32))
    s = d.sample()
    s2 = d.sample(5)
    return s, s2, d.log_prob(s), d.prob(s), d.mean, d.variance, d.stddev, d.entropy, d.batch_shape, d.event_shape, chainer.kl_divergence(d, e), d.cdf(s), d.icdf(F.sigmoid(s))
