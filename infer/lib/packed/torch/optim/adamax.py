# This file is torch.optim.adamax.
from .optimizer import Adamax, Optimizer
