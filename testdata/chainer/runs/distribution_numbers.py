# entry: Net()
# arg: x:f32[N,4]
# arg: y:f32[N,4]
# N: 2,5
import chainer
import chainer.distributions as D
import chainer.functions as F
import numpy as np


class Net(chainer.Chain):
    def forward(self, x, y):
        p, q, u = F.exp(0.3 * x), F.exp(0.3 * y), F.sigmoid(y).array
        out = []
        for d in (D.Normal(x, p), D.Independent(D.Normal(x, p)), D.Laplace(x, p), D.Cauchy(x, p), D.Gumbel(x, p), D.LogNormal(x, p), D.Exponential(p), D.Gamma(p, q), D.Beta(p, q),
                  D.Chisquare(p + 1), D.Pareto(0.1 * p, q)):
            v = y if d.support == 'real' else (0.2 + 0.5 * F.sigmoid(y)).array
            out += [d.log_prob(v), d.entropy]
            for name in ('cdf', 'icdf', 'survival_function', 'prob'):
                try:
                    out.append(getattr(d, name)(u if name == 'icdf' else v))
                except (NotImplementedError, RuntimeError):
                    pass
        out += [chainer.kl_divergence(D.Normal(x, p), D.Normal(y, q)), chainer.kl_divergence(D.Laplace(x, p), D.Laplace(y, q)), chainer.kl_divergence(D.Gamma(p, q), D.Gamma(q, p))]
        rows = F.softmax(x).array
        lower = np.tril(np.ones((4, 4), 'f')) + F.broadcast_to(x[:, None], (len(x), 4, 4)).array * 0.3 + 2 * np.eye(4, dtype='f')
        many = D.MultivariateNormal(y, scale_tril=lower)
        return out + [D.Categorical(rows).log_prob((y[:, 0] > 0).astype('i')), D.OneHotCategorical(rows).log_prob(np.eye(4, dtype='f')[(y[:, 0] > 0).astype('i')]), many.log_prob(x)]
