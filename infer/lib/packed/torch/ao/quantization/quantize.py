# This file is torch.ao.quantization.quantize.
from . import *
