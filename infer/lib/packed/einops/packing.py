# This file gives pack and unpack under the name of their module.
from einops import pack, unpack
