# The module io: text in memory. Of a file on a disk the contents are not known:
# a text is some text, of some number of lines.
from _shapecheck import data_file, data_int, data_str, is_unknown, open_list, unknown

SEEK_SET, SEEK_CUR, SEEK_END = 0, 1, 2
DEFAULT_BUFFER_SIZE = 8192


class UnsupportedOperation(OSError, ValueError):
    pass


class IOBase:
    closed = False

    def close(self):
        self.closed = True

    def flush(self):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()


class RawIOBase(IOBase):
    pass


class BufferedIOBase(IOBase):
    pass


class TextIOBase(IOBase):
    pass


class TextIOWrapper(TextIOBase):
    encoding = 'utf-8'
    newlines = None

    def __init__(self, buffer=None, *args, **kwargs):
        self.buffer = buffer
        self.name = getattr(buffer, 'name', None)
        self.mode = 'r'

    def read(self, size=-1):
        return data_str() if size is not None and size != -1 else data_file(self.name)

    def readline(self, size=-1):
        return data_str()

    def readlines(self, hint=-1):
        return open_list(data_str(), data_int('lines'))

    def __iter__(self):
        return iter(self.readlines())

    def __next__(self):
        return data_str()

    def write(self, s):
        return data_int('written')

    def writelines(self, lines):
        pass

    def seek(self, pos, whence=0):
        return data_int('pos')

    def tell(self):
        return data_int('pos')

    def truncate(self, size=None):
        return data_int('pos')

    def fileno(self):
        return data_int('fd')

    def isatty(self):
        return False

    def readable(self):
        return True

    writable = seekable = readable


class StringIO(TextIOBase):
    def __init__(self, initial_value='', newline='\n'):
        self._text = initial_value or ''
        self._pos = 0

    def write(self, s):
        self._text = self._text[:self._pos] + s + self._text[self._pos + len(s):]
        self._pos += len(s)
        return len(s)

    def writelines(self, lines):
        for line in lines:
            self.write(line)

    def getvalue(self):
        return self._text

    def read(self, size=-1):
        end = len(self._text) if size is None or size < 0 else self._pos + size
        out = self._text[self._pos:end]
        self._pos += len(out)
        return out

    def readline(self, size=-1):
        end = self._text.find('\n', self._pos)
        out = self._text[self._pos:] if end < 0 else self._text[self._pos:end + 1]
        self._pos += len(out)
        return out

    def readlines(self, hint=-1):
        return self.read().splitlines(True)

    def __iter__(self):
        return iter(self.readlines())

    def seek(self, pos, whence=0):
        self._pos = pos if whence == 0 else (self._pos if whence == 1 else len(self._text)) + pos
        return self._pos

    def tell(self):
        return self._pos

    def truncate(self, size=None):
        self._text = self._text[:self._pos if size is None else size]


class BytesIO(BufferedIOBase):
    def __init__(self, initial_bytes=b''):
        self.name = None

    def _unknown(self, *args):
        return unknown('bytes in memory')

    write = read = getvalue = getbuffer = seek = tell = readline = readlines = truncate = _unknown


class BufferedReader(BufferedIOBase):
    def __init__(self, raw=None, *args, **kwargs):
        self.raw = raw
        self.name = getattr(raw, 'name', None)
        self.mode = 'rb'

    def _unknown(self, *args):
        return unknown('contents of a file')

    read = read1 = readinto = readline = readlines = peek = seek = tell = truncate = fileno = _unknown
    __iter__ = __next__ = _unknown

    def write(self, data):
        return data_int('written')

    def isatty(self):
        return False

    def readable(self):
        return True

    writable = seekable = readable


BufferedWriter = BufferedRandom = FileIO = BufferedReader


def open(file, mode='r', buffering=-1, encoding=None, errors=None, newline=None, closefd=True, opener=None):
    if is_unknown(mode):
        return unknown('contents of a file')
    f = BufferedReader() if 'b' in mode else TextIOWrapper()
    f.name, f.mode = file, mode
    return f


def _compressed(file, mode):
    # gzip, bz2 and lzma read bytes unless a text is asked for.
    return open(file, mode if is_unknown(mode) or 't' in mode or 'b' in mode else mode + 'b')
