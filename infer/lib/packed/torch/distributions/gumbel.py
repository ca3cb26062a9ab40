# This file is torch.distributions.gumbel.
from .continuous import Gumbel
