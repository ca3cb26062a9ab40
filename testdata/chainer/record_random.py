#!/usr/bin/env python3
"""record_random.py: how random results of NumPy 1.23.5 and Chainer 7.8.1 are distributed -> random.tsv.

A line has an expression and the values below which 10, 30, 50, 70 and 90 % of its elements are, of ten runs.
"""
import os
import numpy as np
import chainer
import chainer.functions as F
import chainer.links as L

EXPRESSIONS = '''
np.random.rand(100000)
np.random.randn(250, 400)
np.random.random_sample((100000,))
np.random.standard_normal(100000).astype('f')
np.random.uniform(-2, 5, 100000)
np.random.uniform(np.zeros((100000, 2)), np.array([1., 10.]))
np.random.normal(3, 0.5, (500, 200))
np.random.lognormal(0.5, 0.3, 100000)
np.random.standard_exponential(100000)
np.random.exponential(2.5, 100000)
np.random.rayleigh(2, 100000)
np.random.weibull(1.5, 100000)
np.random.pareto(3, 100000)
np.random.gumbel(1, 2, 100000)
np.random.logistic(1, 2, 100000)
np.random.laplace(-1, 2, 100000)
np.random.standard_cauchy(100000)
np.random.geometric(0.2, 100000)
np.random.binomial(1, np.full((10, 10000), 0.6))
np.random.randint(7, size=100000)
np.random.randint(-5, 20, 100000)
np.random.random_integers(3, 9, 100000)
np.random.permutation(100000)[:50000]
np.random.permutation(np.arange(50000.).reshape(25000, 2))[:9000]
np.random.choice(47, 100000)
np.random.choice(np.array([1.5, 2.5, 9.]), (1000, 100), p=[0.25, 0.5, 0.25])
np.random.choice(100000, 50000, replace=False)
np.random.choice(4, 3, replace=False, p=[0.01, 0.97, 0.01, 0.01])[:1].repeat(4)
np.random.RandomState(3).normal(1, 2, 100000)
np.random.default_rng(3).integers(0, 4, 100000, endpoint=True)
F.gaussian(np.full(100000, 2, 'f'), np.full(100000, 1.5, 'f'))
F.gaussian(np.zeros(100000, 'f'), np.zeros(100000, 'f'), return_eps=True)[1]
F.gumbel_softmax(np.log(np.full((50000, 2), 0.5, 'f')), 2.0)
F.dropout(np.ones(100000, 'f'), 0.25)
F.dropout(np.ones(100000, 'f'), 0.25, return_mask=True)[1]
F.rrelu(np.full(100000, -2, 'f'), 0.1, 0.6)
F.zoneout(np.zeros(100000, 'f'), np.ones(100000, 'f'), 0.25)
F.simplified_dropconnect(np.ones((20000, 2), 'f'), np.ones((2, 2), 'f'), ratio=0.75)
chainer.distributions.Normal(np.ones(1, 'f'), np.full(1, 3, 'f')).sample(100000)
chainer.distributions.Laplace(np.ones(1, 'f'), np.full(1, 3, 'f')).sample(100000)
chainer.distributions.Categorical(np.array([0.05, 0.15, 0.35, 0.45], 'f')).sample(100000)
chainer.utils.WalkerAlias([1, 3, 7, 13]).sample((100000,))
F.n_step_lstm(2, 0.5, np.ones((2, 40000, 1), 'f'), np.ones((2, 40000, 1), 'f'), [[np.ones((1, 1), 'f')] * 8] * 2, [[np.ones(1, 'f')] * 8] * 2, [np.ones((40000, 1), 'f')])[2][0]
F.n_step_bilstm(2, 0.5, np.ones((4, 40000, 1), 'f'), np.ones((4, 40000, 1), 'f'), [[np.ones((1, 1), 'f')] * 8] * 2 + [[np.ones((1, 2), 'f')] * 4 + [np.ones((1, 1), 'f')] * 4] * 2, [[np.zeros(1, 'f')] * 8] * 4, [np.ones((40000, 1), 'f')])[2][0]
'''


def main():
    np.random.seed(16)
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'random.tsv'), 'w') as f:
        for line in EXPRESSIONS.strip().split('\n'):
            runs = [eval(line) for _ in range(10)]
            runs = [x.array if isinstance(x, chainer.Variable) else np.asarray(x) for x in runs]
            all_ = np.concatenate([x.reshape(-1) for x in runs])
            f.write('\t'.join([line] + ['%.6g' % q for q in np.quantile(all_, [0.1, 0.3, 0.5, 0.7, 0.9])]) + '\n')


if __name__ == '__main__':
    main()
