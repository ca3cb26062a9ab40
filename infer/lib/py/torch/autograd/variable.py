# This file is torch.autograd.variable.
from . import Variable
