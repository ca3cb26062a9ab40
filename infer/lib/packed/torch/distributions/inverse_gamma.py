# This file is torch.distributions.inverse_gamma.
from .positive import InverseGamma
