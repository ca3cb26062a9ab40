# This file is torch.optim.lbfgs.
from .optimizer import LBFGS, Optimizer
