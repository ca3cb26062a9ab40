# This file is torch.distributions.weibull.
from .positive import Weibull
