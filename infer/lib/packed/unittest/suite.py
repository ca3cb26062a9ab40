# This file stands for unittest.suite.
from unittest import *
