# This file is torch.distributions.exp_family.
from .distribution import ExponentialFamily
