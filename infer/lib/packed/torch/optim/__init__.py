# This file is torch.optim: optimisers that keep their groups and change nothing.
from . import lr_scheduler, swa_utils
from .optimizer import (ASGD, LBFGS, SGD, Adadelta, Adafactor, Adagrad, Adam, Adamax, AdamW, Muon, NAdam, Optimizer, RAdam,
                        RMSprop, Rprop, SparseAdam)
