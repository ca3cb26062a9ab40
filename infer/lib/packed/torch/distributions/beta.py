# This file is torch.distributions.beta.
from .continuous import Beta
