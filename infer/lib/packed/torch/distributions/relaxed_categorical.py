# This file is torch.distributions.relaxed_categorical.
from .discrete import RelaxedOneHotCategorical
