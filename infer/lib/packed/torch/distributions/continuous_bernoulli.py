# This file is torch.distributions.continuous_bernoulli.
from .bounded import ContinuousBernoulli
