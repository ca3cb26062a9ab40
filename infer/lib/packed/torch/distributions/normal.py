# This file is torch.distributions.normal.
from .continuous import Normal
