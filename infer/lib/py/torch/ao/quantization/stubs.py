# This file is torch.ao.quantization.stubs.
from . import *
