# This file is torch.optim.asgd.
from .optimizer import ASGD, Optimizer
