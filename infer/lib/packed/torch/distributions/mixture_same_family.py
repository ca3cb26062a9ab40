# This file is torch.distributions.mixture_same_family.
from .multivariate import MixtureSameFamily
