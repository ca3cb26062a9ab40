# This file is torch.distributions.lowrank_multivariate_normal.
from .multivariate import LowRankMultivariateNormal
