# This file is torch.nn.quantized.
from ...ao.nn.quantized import *
