# This file is torch.torch_version: a str that compares as versions do, so that
# 1.13.0 is not less than 1.5.0. The other side may be a tuple of numbers.
from packaging.version import InvalidVersion, Version

from . import version as _version


def _parsed(v):
    if isinstance(v, Version):
        return v
    if isinstance(v, str):
        return Version(v)
    return Version('.'.join([str(part) for part in v]))


class TorchVersion(str):
    def _compare(self, other, method):
        try:
            return getattr(Version(str(self)), method)(_parsed(other))
        except (InvalidVersion, TypeError):
            return getattr(str(self), method)(other)

    def __lt__(self, other):
        return self._compare(other, '__lt__')

    def __le__(self, other):
        return self._compare(other, '__le__')

    def __gt__(self, other):
        return self._compare(other, '__gt__')

    def __ge__(self, other):
        return self._compare(other, '__ge__')

    def __eq__(self, other):
        return self._compare(other, '__eq__')

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        return hash(str(self))


def __getattr__(name):
    if name == '__version__':
        return TorchVersion(_version.__version__)
    if name == 'internal_version':
        return _version.__version__
    raise AttributeError(f"module 'torch.torch_version' has no attribute {name!r}")
