# This file is torch.distributions.pareto.
from .positive import Pareto
