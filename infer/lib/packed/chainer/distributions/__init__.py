# This file is chainer.distributions.
from .continuous import Beta, Cauchy, Chisquare, Exponential, Gamma, Gumbel, Laplace, LogNormal, Normal, Pareto, Uniform
from .discrete import Bernoulli, Categorical, Geometric, OneHotCategorical, Poisson
from .multivariate import Dirichlet, Independent, MultivariateNormal
from . import divergence
