# This file tells the version of torch that is modelled.
import _shapecheck

__version__ = _shapecheck.get_option('torch-version') or '2.15.0'
cuda = None
hip = None
debug = False
git_version = ''
