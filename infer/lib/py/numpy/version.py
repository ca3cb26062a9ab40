# This file defines numpy.version.
from numpy import __version__ as version

full_version = short_version = version
release = True
git_revision = ''
