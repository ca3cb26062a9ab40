# This file is torch.distributions.half_normal.
from .continuous import HalfNormal
