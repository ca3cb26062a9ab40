# pandas: tables of files, of which only the number of rows is some number.
from _shapecheck import data_int as _data_int, unknown as _unknown


class Series:
    ndim = 1

    def __init__(self, data=None, index=None, dtype=None, name=None, copy=None, _rows=None):
        self._rows = _data_int('rows') if _rows is None else _rows

    @property
    def shape(self):
        return (self._rows,)

    def __len__(self):
        return self._rows

    def __getitem__(self, key):
        return _unknown('what a table holds')

    def __setitem__(self, key, value):
        pass

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return _unknown('what a table holds')


class DataFrame:
    ndim = 2

    def __init__(self, data=None, index=None, columns=None, dtype=None, copy=None):
        self._rows = _data_int('rows')
        self._columns = _data_int('columns')

    @property
    def shape(self):
        return (self._rows, self._columns)

    def __len__(self):
        return self._rows

    def __getitem__(self, key):
        return Series(_rows=self._rows) if isinstance(key, str) else _unknown('what a table holds')

    def __setitem__(self, key, value):
        self._columns = _data_int('columns')

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return _unknown('what a table holds')


def read_csv(*args, **kwargs):
    if kwargs.get('chunksize') is not None or kwargs.get('iterator'):
        return _unknown('a table that is read in parts')
    return DataFrame()


read_table = read_csv
