# The module glob. Which files there are is not known: some number of paths, in some
# order.
from _shapecheck import data_int, data_str, open_list


def glob(pathname, *, root_dir=None, dir_fd=None, recursive=False, include_hidden=False):
    return open_list(data_str(), data_int('files'))


def iglob(pathname, *, root_dir=None, dir_fd=None, recursive=False, include_hidden=False):
    return iter(glob(pathname))


def has_magic(s):
    return any([c in s for c in '*?['])


def escape(pathname):
    return ''.join(['[' + c + ']' if c in '*?[' else c for c in pathname])


glob0 = glob1 = glob
