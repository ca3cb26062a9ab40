# This file stands for unittest.runner.
from unittest import *
