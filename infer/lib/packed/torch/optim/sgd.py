# This file is torch.optim.sgd.
from .optimizer import SGD, Optimizer
