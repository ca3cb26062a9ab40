# This file is torch.optim.rmsprop.
from .optimizer import RMSprop, Optimizer
