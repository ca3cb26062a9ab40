# This file stands for unittest.signals.
from unittest import *
