# This file is torch.distributions. Shapes follow from the parameters: batch and
# event shape, and what a sample adds in front.
from . import constraints, transforms
from .continuous import (Beta, Cauchy, Chi2, Dirichlet, Exponential, Gamma, Gumbel, HalfNormal, Laplace, LogNormal,
                         Normal, Poisson, StudentT, Uniform)
from .discrete import (Bernoulli, Binomial, Categorical, Geometric, Multinomial, OneHotCategorical,
                       OneHotCategoricalStraightThrough, RelaxedBernoulli, RelaxedOneHotCategorical)
from .distribution import Distribution, ExponentialFamily
from .kl import kl_divergence, register_kl
from .multivariate import Independent, LowRankMultivariateNormal, MixtureSameFamily, MultivariateNormal, TransformedDistribution
from .transforms import (AbsTransform, AffineTransform, ComposeTransform, ExpTransform, SigmoidTransform,
                         SoftmaxTransform, TanhTransform, Transform)
