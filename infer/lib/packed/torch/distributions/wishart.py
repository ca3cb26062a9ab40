# This file is torch.distributions.wishart.
from .matrices import Wishart
