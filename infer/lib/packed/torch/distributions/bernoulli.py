# This file is torch.distributions.bernoulli.
from .discrete import Bernoulli
