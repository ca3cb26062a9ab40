# This file is torch.distributions.geometric.
from .discrete import Geometric
