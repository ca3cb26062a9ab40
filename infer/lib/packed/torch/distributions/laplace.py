# This file is torch.distributions.laplace.
from .continuous import Laplace
