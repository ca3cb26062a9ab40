# This file is torch.distributions.logistic_normal.
from .bounded import LogisticNormal
