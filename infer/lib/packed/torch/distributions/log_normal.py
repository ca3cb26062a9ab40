# This file is torch.distributions.log_normal.
from .continuous import LogNormal
