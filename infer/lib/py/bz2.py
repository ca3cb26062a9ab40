# The module bz2: of a file on a disk the contents are not known.
import io as _io


def open(filename, mode='rb', compresslevel=9, encoding=None, errors=None, newline=None):
    return _io._compressed(filename, mode)
