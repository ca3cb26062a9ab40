# This file is torch.optim.adagrad.
from .optimizer import Adagrad, Optimizer
