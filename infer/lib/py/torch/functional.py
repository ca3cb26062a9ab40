# This file is torch.functional: beside its functions what it imports.
from typing import Any, Sequence
import torch.nn.functional as F
from torch import Tensor
