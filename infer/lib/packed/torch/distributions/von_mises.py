# This file is torch.distributions.von_mises.
from .bounded import VonMises
