# This file is torch.distributions.relaxed_bernoulli.
from .discrete import RelaxedBernoulli
