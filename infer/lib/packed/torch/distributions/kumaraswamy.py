# This file is torch.distributions.kumaraswamy.
from .bounded import Kumaraswamy
