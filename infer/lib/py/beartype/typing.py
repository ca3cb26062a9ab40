# This file gives beartype's copies of the names of typing.
from typing import *
