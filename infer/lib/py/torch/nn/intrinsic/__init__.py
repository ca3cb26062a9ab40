# This file is torch.nn.intrinsic.
from ...ao.nn.intrinsic import *
