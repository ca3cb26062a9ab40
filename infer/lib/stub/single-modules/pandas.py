# Tables: how many rows and columns they have where the program tells; types of columns are known where
# it converts them. What files hold is unknown.
import numpy as _np
from _shapecheck import data_int as _data_int, is_symbolic as _is_symbolic, is_unknown as _is_unknown, open_list as _open_list, unknown as _unknown

# The attributes of tables, which no column is read by.
_OWN = frozenset("""
T abs add add_prefix add_suffix agg aggregate align all any append apply applymap asfreq asof assign astype at at_time attrs axes
backfill between_time bfill boxplot clip columns combine combine_first compare convert_dtypes copy corr corrwith count cov cummax
cummin cumprod cumsum describe diff div divide dot drop drop_duplicates droplevel dropna dtypes duplicated empty eq equals eval
ewm expanding explode ffill fillna filter first_valid_index flags floordiv from_arrow from_dict from_records ge get groupby gt
head hist iat idxmax idxmin iloc index infer_objects info insert interpolate is_copy isetitem isin isna isnull items iteritems
iterrows itertuples join keys kurt kurtosis last_valid_index le loc lookup lt mad map mask max mean median melt memory_usage merge
min mod mode mul multiply ndim ne nlargest notna notnull nsmallest nunique pad pct_change pipe pivot pivot_table plot pop pow prod
product quantile query radd rank rdiv reindex reindex_like rename rename_axis reorder_levels replace resample reset_index
rfloordiv rmod rmul rolling round rpow rsub rtruediv sample select select_dtypes sem set_axis set_flags set_index shape shift size
skew slice_shift sort_index sort_values sparse squeeze stack std style sub subtract sum swaplevel tail take to_clipboard to_csv
to_dict to_excel to_feather to_hdf to_html to_iceberg to_json to_latex to_markdown to_numpy to_orc to_parquet to_period to_pickle
to_records to_sql to_stata to_string to_timestamp to_xarray to_xml transform transpose truediv truncate tshift tz_convert
tz_localize unstack update value_counts values var where xs
""".split())


def _array(shape, dtype, what):
    return _np.empty(shape, _unknown(what + ' of a type that is not known') if dtype is None else dtype)


def _one(what='an element of a table'):
    # One number or text.
    return _np.empty((1,), _unknown(what))[0]


class _Table:
    def to_numpy(self, dtype=None, copy=False, na_value=None):
        return _array(self.shape, self._dtype if dtype is None else dtype, 'the values of a table')

    @property
    def values(self):
        return self.to_numpy()

    def __len__(self):
        return self._rows

    @property
    def empty(self):
        return self._rows == 0

    @property
    def ndim(self):
        return len(self.shape)

    def _like(self, rows=None, columns=None, dtype=None):
        return _unknown('a table') if _is_unknown(rows) else self._copy(self._rows if rows is None else rows, columns, dtype)

    def astype(self, dtype, *args, **kwargs):
        return self._like(dtype=None if isinstance(dtype, dict) else dtype)

    def copy(self, *args, **kwargs):
        return self._like(dtype=self._dtype)

    def fillna(self, *args, inplace=False, **kwargs):
        return None if inplace is True else self._like()

    def reset_index(self, *args, drop=False, inplace=False, **kwargs):
        if inplace is True:
            return None
        return self._like() if drop is True else _unknown('a table whose index is a column')

    def _some(self, *args, inplace=False, **kwargs):
        # Some of the rows.
        if inplace is True:
            self._rows = _data_int('rows', 0)
            return None
        return self._like(_data_int('rows', 0), dtype=self._dtype)

    dropna = drop_duplicates = sample = query = _some

    def head(self, n=5):
        return self._like(min(n, self._rows) if not _is_symbolic(self._rows) and not _is_unknown(n) else _data_int('rows', 0), dtype=self._dtype)

    tail = head

    def _computed(self, *args):
        return self._like()

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = _computed
    __mod__ = __rmod__ = __pow__ = __rpow__ = __neg__ = __abs__ = _computed

    def _compared(self, *args):
        return self._like(dtype=bool)

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __and__ = __or__ = __xor__ = __rand__ = __ror__ = __invert__ = _compared
    isin = isna = isnull = notna = notnull = between = _compared
    __hash__ = None

    def __matmul__(self, other):
        return _unknown('a product of tables')

    __rmatmul__ = __matmul__

    def __array__(self, dtype=None, copy=None):
        return self.to_numpy(dtype)

    def __contains__(self, key):
        return _unknown('whether a table has a column or row')

    def _nothing(self, *args, **kwargs):
        pass

    to_csv = to_parquet = to_pickle = to_excel = info = _nothing

    def __getattr__(self, name):
        if name.startswith('_'):
            raise AttributeError(name)
        return _unknown('what the stub of pandas does not have')


class Series(_Table):
    # _labels, of a row, are the columns of its table or how many there are.
    def __init__(self, data=None, index=None, dtype=None, name=None, _rows=None, _labels=None):
        self._labels = _labels
        self._rows = _rows if _rows is not None else _data_int('rows', 0) if data is None or _is_unknown(data) or not hasattr(data, '__len__') else len(data)
        self._dtype = dtype if dtype is not None else data.dtype if isinstance(data, _np.ndarray) else None

    def _copy(self, rows, columns, dtype):
        return Series(dtype=dtype, _rows=rows)

    @property
    def shape(self):
        return (self._rows,)

    def map(self, *args, **kwargs):
        return self._like()

    replace = clip = shift = diff = pct_change = cumsum = cumprod = cummax = cummin = rank = abs = ffill = bfill = interpolate = map

    def apply(self, *args, **kwargs):
        return _unknown('what a function makes of a column') if self._labels is not None else self._like()

    def _number(self, *args, **kwargs):
        return _one('what a function of a column gives')

    sum = mean = median = std = var = min = max = nunique = item = count = prod = quantile = skew = _number

    def unique(self):
        return _array((_data_int('u', 0),), self._dtype, 'the values of a column')

    def tolist(self):
        return _open_list(_one(), self._rows)

    to_list = tolist

    @property
    def iloc(self):
        return _Places(self, False)

    @property
    def loc(self):
        return _Places(self, True)

    def __getitem__(self, key):
        if isinstance(key, Series):
            return self._some()
        if isinstance(key, str) or _np.ndim(key) == 0 and isinstance(key, int):
            return _one()
        return _unknown('an element of a column')

    def __getattr__(self, name):
        if not name.startswith('_') and self._labels is not None and name not in _OWN and (not isinstance(self._labels, list) or name in self._labels):
            return _one()
        return _Table.__getattr__(self, name)

    def __setitem__(self, key, value):
        pass

    def __iter__(self):
        return iter(_open_list(_one(), self._rows))


class _Places:
    # iloc and loc: rows by a slice, columns by a number, a slice or names.
    def __init__(self, table, by_name):
        self._table = table
        self._by_name = by_name

    def __setitem__(self, key, value):
        pass

    def __getitem__(self, key):
        t = self._table
        rows, columns = key if isinstance(key, tuple) and len(key) == 2 else (key, slice(None))
        if isinstance(t, Series):
            if isinstance(key, (slice, Series)):
                return t._some()
            return _one() if isinstance(key, (int, str)) or _is_symbolic(key) else _unknown('an element of a column')
        if not isinstance(rows, (slice, Series, list, _np.ndarray)):
            if _is_unknown(rows) or not isinstance(rows, (int, str)) and not _is_symbolic(rows):
                return _unknown('an element or a row of a table')
            return t._row() if isinstance(columns, slice) else _one() if isinstance(columns, (int, str)) else _unknown('a part of a row of a table')
        n = t._rows if isinstance(rows, slice) and rows == slice(None) else len(rows) if isinstance(rows, list) else _data_int('rows', 0)
        if isinstance(rows, slice) and not self._by_name and not _is_symbolic(t._rows):
            n = len(range(t._rows)[rows])
        if isinstance(columns, (int, str)):
            return Series(dtype=t._dtype, _rows=n)
        if isinstance(columns, list):
            return DataFrame(dtype=t._dtype, _rows=n, _columns=columns)
        if isinstance(columns, slice) and columns == slice(None):
            return DataFrame(dtype=t._dtype, _rows=n, _columns=t._columns)
        if isinstance(columns, slice) and not self._by_name and isinstance(t._columns, list):
            return DataFrame(dtype=t._dtype, _rows=n, _columns=t._columns[columns])
        return DataFrame(dtype=t._dtype, _rows=n)


class DataFrame(_Table):
    # _columns is a list of names, or how many there are.
    def __init__(self, data=None, index=None, columns=None, dtype=None, copy=None, _rows=None, _columns=None):
        self._dtype = dtype
        self._rows = _rows
        self._columns = _columns if _columns is not None else columns if isinstance(columns, list) else None
        if data is not None and not _is_unknown(data):
            if isinstance(data, dict):
                self._columns = list(data) if columns is None else self._columns
                for column in data.values():
                    if not _is_unknown(column) and hasattr(column, '__len__') and not isinstance(column, str):
                        self._rows = len(column)
            elif isinstance(data, _np.ndarray) and data.ndim == 2:
                self._rows = data.shape[0]
                self._dtype = data.dtype if dtype is None else dtype
                self._columns = data.shape[1] if self._columns is None else self._columns
            elif isinstance(data, list):
                self._rows = len(data)
        if self._rows is None:
            self._rows = _data_int('rows', 0)
        if self._columns is None:
            self._columns = _data_int('columns', 0)

    def _copy(self, rows, columns, dtype):
        return DataFrame(dtype=dtype, _rows=rows, _columns=self._columns if columns is None else columns)

    @property
    def shape(self):
        return (self._rows, len(self._columns) if isinstance(self._columns, list) else self._columns)

    @property
    def columns(self):
        return _unknown('the columns of a table')

    @columns.setter
    def columns(self, names):
        if isinstance(names, list):
            self._columns = names

    @property
    def iloc(self):
        return _Places(self, False)

    @property
    def loc(self):
        return _Places(self, True)

    @property
    def index(self):
        return _unknown('the index of a table')

    def __getitem__(self, key):
        if isinstance(key, str):
            return Series(dtype=self._dtype, _rows=self._rows)
        if isinstance(key, list) and len(key) > 0 and isinstance(key[0], str):
            return DataFrame(dtype=self._dtype, _rows=self._rows, _columns=key)
        if isinstance(key, (Series, slice)):
            return self._some()
        return _unknown('a part of a table')

    at = iat = loc

    def _row(self):
        return Series(dtype=self._dtype, _rows=self.shape[1], _labels=self._columns)

    def iterrows(self):
        return iter(_open_list((_one('the label of a row'), self._row()), self._rows))

    def apply(self, func, axis=0, *args, **kwargs):
        return Series(_rows=self._rows) if axis in (1, 'columns') else _unknown('what a function makes of each column')

    def __getattr__(self, name):
        if name.startswith('_') or name in _OWN:
            return _Table.__getattr__(self, name)
        return self[name]

    def __iter__(self):
        return iter(self._columns if isinstance(self._columns, list) else _unknown('the columns of a table'))

    def __setitem__(self, key, value):
        self._dtype = None
        if isinstance(self._columns, list):
            if isinstance(key, str) and key not in self._columns:
                self._columns = self._columns + [key]
            elif not isinstance(key, str):
                self._columns = _data_int('columns', 0)
        else:
            self._columns = _data_int('columns', 0)

    def drop(self, labels=None, *, axis=0, index=None, columns=None, level=None, inplace=False, errors='raise'):
        names = columns if columns is not None else labels if axis in (1, 'columns') else None
        if names is None:
            return self._some(inplace=inplace)
        names = [names] if isinstance(names, str) else names
        left = [c for c in self._columns if c not in names] if isinstance(self._columns, list) and isinstance(names, list) else _data_int('columns', 0)
        if inplace is True:
            self._columns = left
            return None
        return self._like(columns=left, dtype=self._dtype)

    def sort_values(self, *args, inplace=False, **kwargs):
        return None if inplace is True else self._like(dtype=self._dtype)


def _read(*args, **kwargs):
    if kwargs.get('chunksize') is not None or kwargs.get('iterator'):
        return _unknown('a table that is read in parts')
    return DataFrame()


read_csv = read_parquet = read_feather = read_table = _read


def read_excel(*args, sheet_name=0, **kwargs):
    return DataFrame() if isinstance(sheet_name, (int, str)) else _unknown('the sheets of a file')


def concat(objs, axis=0, *args, **kwargs):
    if _is_unknown(objs) or not isinstance(objs, (list, tuple)) or len(objs) == 0 or axis not in (0, 'index') or any([_is_unknown(o) or o is None for o in objs]):
        return _unknown('tables side by side, or ones that are not known')
    return objs[0]._like(sum([len(o) for o in objs]))


def to_datetime(arg, *args, **kwargs):
    return arg._like() if isinstance(arg, Series) else _unknown('a time')


def to_numeric(arg, *args, **kwargs):
    return arg._like() if isinstance(arg, Series) else _unknown('a number')


def get_dummies(data, *args, **kwargs):
    return DataFrame(_rows=len(data)) if isinstance(data, _Table) else _unknown('the columns of categories')
