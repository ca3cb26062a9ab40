# The module lzma: of a file on a disk the contents are not known.
import io as _io


def open(filename, mode='rb', *, format=None, check=-1, preset=None, filters=None, encoding=None, errors=None, newline=None):
    return _io._compressed(filename, mode)
