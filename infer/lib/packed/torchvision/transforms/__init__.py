# This file is torchvision.transforms for when its own source is not there.
from . import functional
from .functional import InterpolationMode
from .transforms import *
from .augment import *
