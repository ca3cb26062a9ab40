# This file is torch.optim.nadam.
from .optimizer import NAdam, Optimizer
