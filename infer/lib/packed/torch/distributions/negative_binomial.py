# This file is torch.distributions.negative_binomial.
from .discrete import NegativeBinomial
