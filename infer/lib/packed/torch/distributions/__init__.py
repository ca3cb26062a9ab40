# This file is torch.distributions. Shapes follow from the parameters: batch and
# event shape, and what a sample adds in front.
from . import constraints, transforms
from .bounded import ContinuousBernoulli, Kumaraswamy, LogisticNormal, VonMises
from .constraint_registry import biject_to, transform_to
from .continuous import (Beta, Cauchy, Chi2, Dirichlet, Exponential, Gamma, Gumbel, HalfNormal, Laplace, LogNormal,
                         Normal, Poisson, StudentT, Uniform)
from .discrete import (Bernoulli, Binomial, Categorical, Geometric, Multinomial, NegativeBinomial, OneHotCategorical,
                       OneHotCategoricalStraightThrough, RelaxedBernoulli, RelaxedOneHotCategorical)
from .distribution import Distribution, ExponentialFamily
from .kl import kl_divergence, register_kl
from .matrices import LKJCholesky, Wishart
from .multivariate import Independent, LowRankMultivariateNormal, MixtureSameFamily, MultivariateNormal, TransformedDistribution
from .positive import FisherSnedecor, GeneralizedPareto, HalfCauchy, InverseGamma, Pareto, Weibull
from .transforms import (AbsTransform, AffineTransform, CatTransform, ComposeTransform, CorrCholeskyTransform,
                         CumulativeDistributionTransform, ExpTransform, IndependentTransform, LowerCholeskyTransform,
                         PositiveDefiniteTransform, PowerTransform, ReshapeTransform, SigmoidTransform, SoftmaxTransform,
                         SoftplusTransform, StackTransform, StickBreakingTransform, TanhTransform, Transform, identity_transform)
