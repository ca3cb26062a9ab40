# This file is torch.distributions.dirichlet.
from .continuous import Dirichlet
