# This file is torch.distributions.multinomial.
from .discrete import Multinomial
