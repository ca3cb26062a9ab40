# This file is torch.optim.radam.
from .optimizer import RAdam, Optimizer
