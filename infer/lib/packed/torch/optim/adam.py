# This file is torch.optim.adam.
from .optimizer import Adam, Optimizer
