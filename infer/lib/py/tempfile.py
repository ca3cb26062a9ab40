# The module tempfile. Where temporary files are is not known; a directory is there while its block runs.
from _shapecheck import data_int, data_str

tempdir = None


def gettempdir():
    return data_str()


def mkdtemp(suffix=None, prefix=None, dir=None):
    return data_str()


def mktemp(suffix='', prefix='tmp', dir=None):
    return data_str()


def mkstemp(suffix=None, prefix=None, dir=None, text=False):
    return data_int('the number of a temporary file'), data_str()


def NamedTemporaryFile(mode='w+b', buffering=-1, encoding=None, newline=None, suffix=None, prefix=None, dir=None, delete=True, *, errors=None, delete_on_close=True):
    return open(data_str(), mode, buffering, encoding, errors, newline)


class TemporaryDirectory:
    def __init__(self, suffix=None, prefix=None, dir=None, ignore_cleanup_errors=False, *, delete=True):
        self.name = data_str()

    def __enter__(self):
        return self.name

    def __exit__(self, exc, value, tb):
        self.cleanup()

    def cleanup(self):
        pass
