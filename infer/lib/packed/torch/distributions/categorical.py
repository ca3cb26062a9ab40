# This file is torch.distributions.categorical.
from .discrete import Categorical
