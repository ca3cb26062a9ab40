# This file is torch.distributions.generalized_pareto.
from .positive import GeneralizedPareto
