# Data sets of rows. Which rows a hub or files have is not known, nor how many: of columns that the
# program names the values are unknown; those that it makes have their types.
import torch as _torch
from torch.utils.data import IterableDataset as _IterableBase
from _shapecheck import (data_int as _data_int, data_str as _data_str, is_open as _is_open, is_symbolic as _is_symbolic, is_unknown as _is_unknown,
                         known_keys as _known_keys, open_dict as _open_dict, open_list as _open_list, unknown as _unknown)


def _tensor(v):
    # A value of a row, or a list of them, with the format of torch.
    if _is_unknown(v) or isinstance(v, (str, _torch.Tensor)):
        return v
    if isinstance(v, (bool, int, float)):
        return _torch.tensor(v)
    if isinstance(v, (list, tuple)) and len(v) > 0:
        parts = _tensor(v[0])
        return parts.new_empty((len(v),) + tuple(parts.shape)) if isinstance(parts, _torch.Tensor) else v
    return v


class _Rows:
    def __init__(self, values=None, hidden=True, length=None, formatted=None, named=()):
        self._values = {} if values is None else values  # by column, the value of a row
        self._hidden = hidden  # whether there are columns that are not known
        self._length = _data_int('rows', 1) if length is None else length
        self._formatted = formatted  # None, or the columns that have the format of torch; [] for all
        # What column_names gives, of this and of those that it was made of, with the columns that are known.
        self._names = _open_list(_data_str(), _data_int('columns', 1)) if self._hidden else list(self._values)
        self._named = named + ((self._names, list(self._values)),)

    def _made(self, values=None, hidden=None, length=None):
        return type(self)(dict(self._values) if values is None else values, self._hidden if hidden is None else hidden, self._length if length is None else length,
                          self._formatted, self._named)

    def _row(self):
        row = dict(self._values)
        hidden = self._hidden
        if self._formatted is not None:
            wanted = [k for k in row if not self._formatted or k in self._formatted] + [k for k in self._formatted if k not in row]
            row = {k: _tensor(row[k]) if k in row else _unknown('a column of a data set') for k in wanted}
            hidden = hidden and not self._formatted
        return _open_dict(row, _unknown('a column of a data set')) if hidden else row

    def _column(self, name):
        if _is_unknown(name) or name not in self._values:
            if not _is_unknown(name) and not self._hidden:
                raise KeyError(f"Column {name} not in the dataset. Current columns in the dataset: {list(self._values)}")
            return _unknown('a column of a data set')
        return self._several(self._values[name], self._length)

    def _several(self, value, n):
        if self._formatted is not None:
            value = _tensor(value)
        if _is_unknown(value):
            return value
        if isinstance(value, _torch.Tensor):
            return value.new_empty((n,) + tuple(value.shape))
        return _open_list(value, n)

    @property
    def column_names(self):
        return self._names

    @property
    def features(self):
        return _unknown('the types of the columns of a data set')

    def map(self, function=None, with_indices=False, with_rank=False, input_columns=None, batched=False, batch_size=1000, drop_last_batch=False,
            remove_columns=None, *args, fn_kwargs=None, **kwargs):
        if function is None or input_columns is not None or with_rank:
            return self._made({}, True)
        n = _data_int('rows', 1)
        row = self._row()
        if batched:
            many = {k: _open_list(row[k], n) if _is_unknown(row[k]) else self._several(row[k], n) for k in _known_keys(row)}
            row = _open_dict(many, _open_list(_unknown('a column of a data set'), n)) if _is_open(row) else many
        index = (_open_list(_data_int('i', 0), n) if batched else _data_int('i', 0),) if with_indices else ()
        out = function(row, *index, **(fn_kwargs or {}))
        if _is_unknown(out):
            return self._made({}, True)
        values, hidden = dict(self._values), self._hidden
        if remove_columns is not None:
            values, hidden = self._without(remove_columns, values)
        if out is None:
            return self._made(values, hidden)
        data = out if isinstance(out, dict) else out.data
        for name in _known_keys(data):
            value = data[name]
            if batched and not _is_unknown(value):
                value = value[0] if len(value) > 0 else _unknown('a column of a data set')
            if isinstance(value, _torch.Tensor):
                value = _unknown('a tensor as a value of a row') if value.ndim == 0 else value
            values[name] = value
        return self._made(values, hidden or _is_open(data), n if batched else None)

    def _without(self, names, values):
        # The columns that are left, and whether some are not known.
        for all_names, known in self._named:
            if names is all_names:
                return {k: v for k, v in values.items() if k not in known}, False
        if _is_unknown(names) or _is_symbolic(len(names)):
            return {}, True
        names = [names] if isinstance(names, str) else list(names)
        return {k: v for k, v in values.items() if k not in names}, self._hidden

    def filter(self, *args, **kwargs):
        return self._made(length=_data_int('rows', 1))

    def shuffle(self, *args, **kwargs):
        return self._made()

    sort = flatten_indices = cast = cast_column = class_encode_column = with_transform = add_faiss_index = flatten = shuffle

    def remove_columns(self, column_names):
        values, hidden = self._without(column_names, dict(self._values))
        return self._made(values, hidden)

    def select_columns(self, column_names):
        names = [column_names] if isinstance(column_names, str) else column_names
        if _is_unknown(names):
            return self._made({}, True)
        return self._made({k: self._values[k] if k in self._values else _unknown('a column of a data set') for k in names}, False)

    def rename_column(self, original_column_name, new_column_name):
        return self.rename_columns({original_column_name: new_column_name})

    def rename_columns(self, column_mapping):
        values = {k: v for k, v in self._values.items() if k not in column_mapping}
        for old, new in column_mapping.items():
            values[new] = self._values[old] if old in self._values else _unknown('a column of a data set')
        return self._made(values)

    def add_column(self, name, column, *args, **kwargs):
        values = dict(self._values)
        values[name] = _unknown('a column of a data set') if _is_unknown(column) or len(column) == 0 else column[0]
        return self._made(values)

    def with_format(self, type=None, columns=None, output_all_columns=False, **kwargs):
        out = self._made()
        out.set_format(type, columns, output_all_columns)
        return out

    def set_format(self, type=None, columns=None, output_all_columns=False, **kwargs):
        if type is None:
            self._formatted = None
        elif _is_unknown(type) or type not in ('torch', 'pt') or _is_unknown(columns) or output_all_columns:
            self._values, self._hidden, self._formatted = {}, True, None
        else:
            self._formatted = list(columns) if columns is not None else []

    def reset_format(self):
        self._formatted = None

    def set_transform(self, transform, *args, **kwargs):
        self._values, self._hidden = {}, True

    def __getattr__(self, name):
        if name.startswith('_'):
            raise AttributeError(name)
        return _unknown('what the stub of datasets does not have')


class Dataset(_Rows):
    @classmethod
    def from_dict(cls, mapping, *args, **kwargs):
        if _is_unknown(mapping):
            return cls()
        values, n = {}, 0
        for name, column in mapping.items():
            n = _data_int('rows', 1) if _is_unknown(column) else len(column)
            values[name] = _unknown('a column of a data set') if _is_unknown(column) or isinstance(n, int) and n == 0 else column[0]
        return cls(values, False, n)

    @classmethod
    def from_list(cls, mapping, *args, **kwargs):
        if _is_unknown(mapping) or len(mapping) == 0 or not isinstance(mapping[0], dict):
            return cls()
        return cls(dict(mapping[0]), False, len(mapping))

    @classmethod
    def _of_file(cls, *args, **kwargs):
        return cls()

    from_pandas = from_csv = from_json = from_parquet = from_text = from_generator = load_from_disk = from_file = _of_file

    @property
    def num_rows(self):
        return self._length

    @property
    def shape(self):
        return (self._length, _unknown('the columns of a data set') if self._hidden else len(self._values))

    def __len__(self):
        return self._length

    def __getitem__(self, key):
        if isinstance(key, str):
            return self._column(key)
        if _is_unknown(key) or isinstance(key, int):
            return self._row()
        n = len(range(self._length)[key]) if isinstance(key, slice) and isinstance(self._length, int) else (
            len(key) if isinstance(key, (list, tuple, range)) else _data_int('rows', 1))
        row = self._row()
        many = {k: self._several(row[k], n) for k in _known_keys(row)}
        return _open_dict(many, _unknown('a column of a data set')) if self._hidden and not self._formatted else many

    def __iter__(self):
        return iter(_open_list(self._row(), self._length))

    def select(self, indices, *args, **kwargs):
        return self._made(length=_data_int('rows', 1) if _is_unknown(indices) else len(indices))

    def take(self, n):
        return self._made(length=n if isinstance(self._length, int) and self._length >= n else _data_int('rows', 1))

    def skip(self, n):
        return self._made(length=_data_int('rows', 1))

    def shard(self, num_shards, index, *args, **kwargs):
        return self._made(length=_data_int('rows', 1))

    def train_test_split(self, *args, **kwargs):
        return DatasetDict({'train': self._made(length=_data_int('rows', 1)), 'test': self._made(length=_data_int('rows', 1))})

    def save_to_disk(self, *args, **kwargs):
        pass

    to_csv = to_json = to_parquet = push_to_hub = cleanup_cache_files = save_to_disk


class IterableDataset(_Rows, _IterableBase):
    def __iter__(self):
        return iter(_open_list(self._row(), self._length))

    def take(self, n):
        return self._made()

    skip = take


class DatasetDict(dict):
    # Data sets by split. Where the splits are not known, each that is asked for is there.
    _rows = None

    @classmethod
    def _any(cls, rows):
        splits = cls()
        splits._rows = rows
        return splits

    def __getitem__(self, split):
        if dict.__contains__(self, split):
            return dict.__getitem__(self, split)
        if self._rows is None:
            raise KeyError(split)
        self[split] = self._rows._made()
        return dict.__getitem__(self, split)

    def __contains__(self, split):
        return dict.__contains__(self, split) or (False if self._rows is None else _unknown('which splits a data set has'))

    def keys(self):
        return dict.keys(self) if self._rows is None else _unknown('which splits a data set has')

    def values(self):
        return dict.values(self) if self._rows is None else _unknown('which splits a data set has')

    def items(self):
        return dict.items(self) if self._rows is None else _unknown('which splits a data set has')

    def __iter__(self):
        return iter(self.keys())

    def _each(self, name, args, kwargs):
        out = type(self)({split: getattr(rows, name)(*args, **kwargs) for split, rows in dict.items(self)})
        out._rows = None if self._rows is None else getattr(self._rows, name)(*args, **kwargs)
        return out

    def map(self, *args, **kwargs):
        return self._each('map', args, kwargs)

    def filter(self, *args, **kwargs):
        return self._each('filter', args, kwargs)

    def shuffle(self, *args, **kwargs):
        return self._each('shuffle', args, kwargs)

    def with_format(self, *args, **kwargs):
        return self._each('with_format', args, kwargs)

    def remove_columns(self, *args, **kwargs):
        return self._each('remove_columns', args, kwargs)

    def select_columns(self, *args, **kwargs):
        return self._each('select_columns', args, kwargs)

    def rename_column(self, *args, **kwargs):
        return self._each('rename_column', args, kwargs)

    def rename_columns(self, *args, **kwargs):
        return self._each('rename_columns', args, kwargs)

    def set_format(self, *args, **kwargs):
        self._each('set_format', args, kwargs)

    @property
    def column_names(self):
        return {split: rows.column_names for split, rows in dict.items(self)} if self._rows is None else _unknown('the columns of a data set')

    def save_to_disk(self, *args, **kwargs):
        pass

    push_to_hub = save_to_disk


class IterableDatasetDict(DatasetDict):
    pass


def load_dataset(path, name=None, *args, split=None, streaming=False, **kwargs):
    if _is_unknown(split) or _is_unknown(streaming):
        return _unknown('a data set whose split is not known')
    rows = IterableDataset() if streaming else Dataset()
    if split is None:
        return (IterableDatasetDict if streaming else DatasetDict)._any(rows)
    return [rows._made() for _ in split] if isinstance(split, (list, tuple)) else rows


def load_from_disk(dataset_path, *args, **kwargs):
    return _unknown('the data sets of a folder')


def concatenate_datasets(dsets, *args, **kwargs):
    known = not _is_unknown(dsets) and len(dsets) > 0 and isinstance(dsets[0], Dataset)
    return dsets[0]._made(length=sum([len(d) for d in dsets])) if known else _unknown('data sets one after the other')


def disable_caching(*args, **kwargs):
    pass


enable_caching = disable_progress_bar = enable_progress_bar = disable_progress_bars = enable_progress_bars = disable_caching
