# This file is torch.distributions.lkj_cholesky.
from .matrices import LKJCholesky
