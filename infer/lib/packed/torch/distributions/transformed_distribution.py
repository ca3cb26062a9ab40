# This file is torch.distributions.transformed_distribution.
from .multivariate import TransformedDistribution
