# This file is torch.distributions.multivariate_normal.
from .multivariate import MultivariateNormal
