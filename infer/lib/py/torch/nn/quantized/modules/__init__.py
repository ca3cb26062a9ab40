# This file is torch.nn.quantized.modules.
from .. import *
