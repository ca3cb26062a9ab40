# This file is torch.distributions.exponential.
from .continuous import Exponential
