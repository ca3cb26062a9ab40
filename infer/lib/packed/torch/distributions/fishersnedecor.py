# This file is torch.distributions.fishersnedecor.
from .positive import FisherSnedecor
