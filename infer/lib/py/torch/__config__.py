# This file is torch.__config__: how PyTorch was built is not known.
import _shapecheck


def show():
    return _shapecheck.unknown('how PyTorch was built')


parallel_info = show
_cxx_flags = show
