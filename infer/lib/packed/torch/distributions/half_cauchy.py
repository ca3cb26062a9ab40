# This file is torch.distributions.half_cauchy.
from .positive import HalfCauchy
