# This file is torch.ao.quantization.fake_quantize.
from . import *
