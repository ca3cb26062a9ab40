# This file is the Python part of einops: its exception and version. The
# functions are operator records.
__version__ = '0.8.0'


class EinopsError(RuntimeError):
    pass
