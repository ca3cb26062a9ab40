# This file is torch._tensor.
from . import Tensor
