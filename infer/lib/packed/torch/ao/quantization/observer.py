# This file is torch.ao.quantization.observer.
from . import *
