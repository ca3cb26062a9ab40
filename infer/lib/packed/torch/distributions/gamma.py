# This file is torch.distributions.gamma.
from .continuous import Gamma
