# This file is torch.distributions.binomial.
from .discrete import Binomial
