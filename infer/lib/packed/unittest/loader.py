# This file stands for unittest.loader.
from unittest import *
