# This file is torch.distributions.independent.
from .multivariate import Independent
