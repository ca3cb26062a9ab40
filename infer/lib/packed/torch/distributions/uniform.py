# This file is torch.distributions.uniform.
from .continuous import Uniform
