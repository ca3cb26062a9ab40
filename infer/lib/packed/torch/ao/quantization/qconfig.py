# This file is torch.ao.quantization.qconfig.
from . import *
