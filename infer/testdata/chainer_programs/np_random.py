# entry: forward
# arg: n=3
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(n):
    r = np.random.RandomState(0)
    g = np.random.default_rng(1)
    return (np.random.rand(n, 2), np.random.randn(n), np.random.randint(0, 5, (n, 2)), np.random.choice(5, 2, replace=False), np.random.permutation(n), np.random.uniform(-1, 1, (n,)).astype('f'), np.random.normal(size=(2, n)), r.binomial(1, 0.5, (n,)), r.beta(1, 2, n), g.integers(0, 3, n),
            g.random((n, 2), dtype=np.float32), g.choice(4, (2, 2)), np.random.multinomial(5, [0.2, 0.8], size=n), np.random.dirichlet([1, 2, 3], n), np.random.random_sample(n))
