# This file is torch.ao.quantization.fuse_modules.
from . import *
