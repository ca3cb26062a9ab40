# This file is torch.distributions.cauchy.
from .continuous import Cauchy
