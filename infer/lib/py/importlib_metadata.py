# The package importlib_metadata is the module of the standard library.
from importlib.metadata import *
from importlib.metadata import PackageNotFoundError, packages_distributions, version
