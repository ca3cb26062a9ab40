# This file gives the functions of einops under the name of their module.
from einops import EinopsError, asnumpy, einsum, parse_shape, rearrange, reduce, repeat
