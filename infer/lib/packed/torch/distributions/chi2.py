# This file is torch.distributions.chi2.
from .continuous import Chi2
