# entry: forward
# arg: x:f32[4,3]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(x):
    D = chainer.distributions
    b = D.Bernoulli(logit=x)
    c = D.Categorical(logit=x)
    u = D.Uniform(low=x, high=x + 1)
    i = D.Independent(D.Normal(x, F.exp(x).array))
    l = D.Laplace(x, np.exp(x))
    return (b.sample(), b.log_prob(np.ones((4, 3), np.int32)), b.mean, b.entropy, c.sample(2), c.log_prob(np.zeros(4, np.int32)), c.entropy, u.sample(), u.mean,
            i.batch_shape, i.event_shape, i.log_prob(x), i.entropy, l.sample((2,)), l.log_prob(x))
