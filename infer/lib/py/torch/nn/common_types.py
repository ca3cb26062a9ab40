# This file names the types that annotations of layers use.
from typing import Optional, Tuple, Union

_scalar_or_tuple_any_t = Union[int, Tuple[int, ...]]
_size_any_t = _scalar_or_tuple_any_t
_size_1_t = Union[int, Tuple[int]]
_size_2_t = Union[int, Tuple[int, int]]
_size_3_t = Union[int, Tuple[int, int, int]]
_size_4_t = Union[int, Tuple[int, int, int, int]]
_size_5_t = _size_any_t
_size_6_t = _size_any_t
_size_any_opt_t = Optional[_size_any_t]
_size_2_opt_t = Optional[_size_2_t]
_size_3_opt_t = Optional[_size_3_t]
_ratio_2_t = Union[float, Tuple[float, float]]
_ratio_3_t = Union[float, Tuple[float, float, float]]
_ratio_any_t = Union[float, Tuple[float, ...]]
