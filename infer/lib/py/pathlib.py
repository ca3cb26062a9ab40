# The module pathlib: the pure part exactly; the file system is not known.
import io as _io
import os as _os
from _shapecheck import data_file, data_int, data_str, open_list, source_path, unknown


class PurePath:
    def __init__(self, *args):
        parts = [_os.fspath(a) for a in args]
        path = _os.path.join(*parts) if parts else '.'
        root = '//' if path.startswith('//') and not path.startswith('///') else '/' if path.startswith('/') else ''
        self._root = root
        self._parts = [p for p in path.split('/') if p and p != '.']

    def _make(self, root, parts):
        new = self.__class__.__new__(self.__class__)
        new._root = root
        new._parts = parts
        return new

    def __str__(self):
        return self._root + '/'.join(self._parts) or '.'

    def __fspath__(self):
        return str(self)

    def as_posix(self):
        return str(self)

    def as_uri(self):
        return 'file://' + str(self)

    def __repr__(self):
        return '%s(%r)' % (self.__class__.__name__, str(self))

    def __eq__(self, other):
        if not isinstance(other, PurePath):
            return NotImplemented
        return str(self) == str(other)

    def __hash__(self):
        return hash(str(self))

    def __lt__(self, other):
        return self.parts < other.parts

    def __le__(self, other):
        return self.parts <= other.parts

    def __gt__(self, other):
        return self.parts > other.parts

    def __ge__(self, other):
        return self.parts >= other.parts

    def __truediv__(self, key):
        return self.__class__(self, key)

    def __rtruediv__(self, key):
        return self.__class__(key, self)

    def joinpath(self, *args):
        return self.__class__(self, *args)

    @property
    def parts(self):
        return tuple(([self._root] if self._root else []) + self._parts)

    @property
    def drive(self):
        return ''

    @property
    def root(self):
        return self._root

    @property
    def anchor(self):
        return self._root

    @property
    def name(self):
        return self._parts[-1] if self._parts else ''

    @property
    def suffix(self):
        name = self.name
        i = name.rfind('.')
        return name[i:] if 0 < i < len(name) - 1 else ''

    @property
    def suffixes(self):
        name = self.name
        if name.endswith('.'):
            return []
        return ['.' + s for s in name.lstrip('.').split('.')[1:]]

    @property
    def stem(self):
        name = self.name
        i = name.rfind('.')
        return name[:i] if 0 < i < len(name) - 1 else name

    @property
    def parent(self):
        return self._make(self._root, self._parts[:-1])

    @property
    def parents(self):
        return tuple([self._make(self._root, self._parts[:i]) for i in range(len(self._parts) - 1, -1, -1)])

    def is_absolute(self):
        return bool(self._root)

    def is_relative_to(self, *other):
        other = self.__class__(*other)
        return self._root == other._root and self._parts[:len(other._parts)] == other._parts

    def relative_to(self, *other):
        other = self.__class__(*other)
        if not self.is_relative_to(other):
            raise ValueError(f"{str(self)!r} is not in the subpath of {str(other)!r}")
        return self._make('', self._parts[len(other._parts):])

    def with_name(self, name):
        if not self.name:
            raise ValueError(f'{self!r} has an empty name')
        return self._make(self._root, self._parts[:-1] + [name])

    def with_stem(self, stem):
        return self.with_name(stem + self.suffix)

    def with_suffix(self, suffix):
        if suffix and not suffix.startswith('.') or suffix == '.':
            raise ValueError('Invalid suffix %r' % (suffix,))
        return self.with_name(self.stem + suffix)

    def match(self, pattern):
        from fnmatch import fnmatchcase
        want = [p for p in pattern.split('/') if p]
        if len(want) > len(self._parts):
            return False
        return all([fnmatchcase(a, b) for a, b in zip(self._parts[-len(want):], want)])


class PurePosixPath(PurePath):
    pass


class PureWindowsPath(PurePath):
    pass


class Path(PurePath):
    @classmethod
    def cwd(cls):
        return unknown('the current directory')

    @classmethod
    def home(cls):
        return unknown('the home directory')

    def exists(self, **kwargs):
        return _os.path.exists(self)

    is_file = is_dir = is_symlink = is_mount = exists

    def mkdir(self, mode=0o777, parents=False, exist_ok=False):
        pass

    def touch(self, mode=0o666, exist_ok=True):
        pass

    def unlink(self, missing_ok=False):
        pass

    rmdir = chmod = unlink

    def write_text(self, data, **kwargs):
        return len(data)

    def write_bytes(self, data):
        return len(data)

    def _unknown(self, *args, **kwargs):
        return unknown('the file system')

    def open(self, mode='r', buffering=-1, encoding=None, errors=None, newline=None):
        return _io.open(self, mode, buffering, encoding, errors, newline)

    def read_text(self, *args, **kwargs):
        return data_file(self)

    def glob(self, *args, **kwargs):
        return iter(open_list(self.__class__(data_str()), data_int('files')))

    def rglob(self, *args, **kwargs):
        return self.glob()

    def iterdir(self):
        return self.glob()

    read_bytes = stat = lstat = owner = samefile = walk = _unknown

    def resolve(self, strict=False):
        return self.absolute()

    def absolute(self):
        if self._root:
            return self
        path = source_path(str(self))
        return self.__class__(path) if path is not None else unknown('the current directory')

    def expanduser(self):
        return unknown('the home directory') if self._parts and self._parts[0].startswith('~') else self

    def rename(self, target):
        return self.__class__(target)

    replace = rename

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        pass


class PosixPath(Path):
    pass
