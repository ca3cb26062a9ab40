# This file is torch.quantization.
from ..ao.quantization import *
