# This file is torch.distributions.poisson.
from .continuous import Poisson
