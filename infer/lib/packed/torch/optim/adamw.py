# This file is torch.optim.adamw.
from .optimizer import AdamW, Optimizer
