# This file is numpy.lib, of which programs use the submodule stride_tricks.
from . import stride_tricks
