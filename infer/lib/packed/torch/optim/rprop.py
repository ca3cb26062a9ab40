# This file is torch.optim.rprop.
from .optimizer import Rprop, Optimizer
