# This file is the package PIL. Pictures have a size and a mode, and no contents.
__version__ = '9.4.0'
