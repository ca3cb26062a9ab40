# This file is torch.nn.quantizable.
from ...ao.nn.quantizable import *
