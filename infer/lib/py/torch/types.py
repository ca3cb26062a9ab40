# This file names the types that annotations use.
from typing import Any, List, Tuple, Union

_int = int
_float = float
_bool = bool
Number = Union[int, float, bool]
Device = Any
_size = Any
_device = Any
_dtype = Any
