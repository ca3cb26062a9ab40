# This file is torch.optim.adadelta.
from .optimizer import Adadelta, Optimizer
