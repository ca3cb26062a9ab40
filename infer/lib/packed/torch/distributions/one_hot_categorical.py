# This file is torch.distributions.one_hot_categorical.
from .discrete import OneHotCategorical
