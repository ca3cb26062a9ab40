# This file stands for unittest.main.
from unittest import *
