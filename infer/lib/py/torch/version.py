# This file tells the version of torch that programs find. It is asked for when they
# want it: it may be that of an installed package.
import _shapecheck

cuda = None
hip = None
debug = False
git_version = ''


def __getattr__(name):
    if name == '__version__':
        return _shapecheck.get_option('torch-version')
    raise AttributeError(f"module 'torch.version' has no attribute {name!r}")
