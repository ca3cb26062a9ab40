# This file stands for unittest.result.
from unittest import *
