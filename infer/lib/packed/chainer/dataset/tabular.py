# This file is chainer.dataset.tabular: tables of examples, and what is made of them.
import numpy
from .dataset_mixin import DatasetMixin


class TabularDataset(DatasetMixin):
    def __len__(self):
        raise NotImplementedError

    @property
    def keys(self):
        raise NotImplementedError

    @property
    def mode(self):
        raise NotImplementedError

    def get_examples(self, indices, key_indices):
        raise NotImplementedError

    @property
    def slice(self):
        return _SliceHelper(self)

    def fetch(self):
        return _in_mode(self, self.get_examples(None, None))

    def convert(self, data):
        if isinstance(data, tuple):
            return tuple([_as_array(d) for d in data])
        if isinstance(data, dict):
            return {k: _as_array(v) for k, v in data.items()}
        return _as_array(data)

    def astuple(self):
        return _Moded(self, tuple)

    def asdict(self):
        return _Moded(self, dict)

    def concat(self, *datasets):
        return _Concat((self,) + datasets)

    def join(self, *datasets):
        return _Join((self,) + datasets)

    def transform(self, keys, transform):
        return _Transform(self, keys, transform)

    def transform_batch(self, keys, transform_batch):
        return _TransformBatch(self, keys, transform_batch)

    def with_converter(self, converter):
        return _WithConverter(self, converter)

    def get_example(self, i):
        return _in_mode(self, tuple([column[0] for column in self.get_examples([i], None)]))

    def __iter__(self):
        return (self.get_example(i) for i in range(len(self)))


def _as_array(data):
    from .. import Variable
    return data if isinstance(data, (numpy.ndarray, Variable)) else numpy.asarray(data)


def _in_mode(dataset, columns):
    mode = dataset.mode
    if mode is tuple:
        return columns
    if mode is dict:
        return dict(zip(dataset.keys, columns))
    return columns[0]


class DelegateDataset(TabularDataset):
    def __init__(self, dataset):
        self.dataset = dataset

    def __len__(self):
        return len(self.dataset)

    @property
    def keys(self):
        return self.dataset.keys

    @property
    def mode(self):
        return self.dataset.mode

    def get_examples(self, indices, key_indices):
        return self.dataset.get_examples(indices, key_indices)


class _Moded(DelegateDataset):
    def __init__(self, dataset, mode):
        self.dataset, self._mode = dataset, mode

    @property
    def mode(self):
        return self._mode

    def convert(self, data):
        return self.dataset.convert(data)


class _WithConverter(DelegateDataset):
    def __init__(self, dataset, converter):
        self.dataset, self._converter = dataset, converter

    def convert(self, data):
        if isinstance(data, tuple):
            return self._converter(*data)
        if isinstance(data, dict):
            return self._converter(**data)
        return self._converter(data)


class _SliceHelper:
    def __init__(self, dataset):
        self._dataset = dataset

    def __getitem__(self, args):
        indices, keys = args if isinstance(args, tuple) else (args, None)
        return _Slice(self._dataset, indices, keys)


class _Slice(TabularDataset):
    def __init__(self, dataset, indices, keys):
        self._one = None if keys is None else not isinstance(keys, tuple)
        self._dataset = dataset
        self._indices = _places(indices, len(dataset))
        self._columns = None if keys is None else _columns((keys,) if self._one else keys, dataset.keys)

    def __len__(self):
        if isinstance(self._indices, slice):
            return len(range(*self._indices.indices(len(self._dataset))))
        return len(self._indices)

    @property
    def keys(self):
        names = self._dataset.keys
        return names if self._columns is None else tuple([names[i] for i in self._columns])

    @property
    def mode(self):
        if self._one is None:
            return self._dataset.mode
        return None if self._one else self._dataset.mode or tuple

    def get_examples(self, indices, key_indices):
        if key_indices is None:
            key_indices = self._columns
        elif self._columns is not None:
            key_indices = tuple([self._columns[i] for i in key_indices])
        return self._dataset.get_examples(_within(self._indices, indices, len(self._dataset), len(self)), key_indices)

    def convert(self, data):
        return self._dataset.convert(data)


def _places(indices, size):
    if isinstance(indices, slice) or len(indices) == 0:
        return indices
    if all([isinstance(i, (bool, numpy.bool_)) for i in indices]):
        if len(indices) != size:
            raise ValueError('The number of booleans is different from the length of dataset')
        return [i for i, chosen in enumerate(indices) if chosen]
    places = []
    for i in indices:
        place = int(i)
        if place < 0:
            place += size
        if place < 0 or place >= size:
            raise IndexError('index {} is out of bounds for dataset with size {}'.format(place, size))
        places.append(place)
    return places


def _columns(keys, names):
    out = []
    for key in keys:
        if isinstance(key, (int, numpy.integer)):
            i = key + len(names) if key < 0 else key
            if i < 0 or i >= len(names):
                raise IndexError('index {} is out of bounds for keys with size {}'.format(key, len(names)))
        elif key in names:
            i = names.index(key)
        else:
            raise KeyError('{} does not exists'.format(key))
        out.append(i)
    return tuple(out)


def _within(outer, inner, size, inner_size):
    """The places that inner chooses of those that outer chooses."""
    if inner is None:
        return outer
    if isinstance(outer, slice):
        start, _, step = outer.indices(size)
        if not isinstance(inner, slice):
            return [start + step * i for i in inner]
        first, last, by = inner.indices(inner_size)
        begin, end, step_by = start + step * first, start + step * last, step * by
        return slice(None if begin < 0 and step_by > 0 else begin, None if end < 0 and step_by < 0 else end, step_by)
    return outer[inner] if isinstance(inner, slice) else [outer[i] for i in inner]


class _Join(TabularDataset):
    def __init__(self, datasets):
        names = set(datasets[0].keys)
        for dataset in datasets[1:]:
            if len(dataset) != len(datasets[0]):
                raise ValueError('All datasets must have the same length')
            if names & set(dataset.keys):
                raise ValueError('All keys must be unique among all datasets')
            names = names | set(dataset.keys)
        self._datasets = datasets

    def __len__(self):
        return len(self._datasets[0])

    @property
    def keys(self):
        return tuple([key for dataset in self._datasets for key in dataset.keys])

    @property
    def mode(self):
        for dataset in self._datasets:
            if dataset.mode:
                return dataset.mode
        return tuple

    def get_examples(self, indices, key_indices):
        if key_indices is None:
            return tuple([column for dataset in self._datasets for column in dataset.get_examples(indices, None)])
        found, first = {}, 0
        for dataset in self._datasets:
            own = []
            for key in key_indices:
                if first <= key < first + len(dataset.keys) and key - first not in own:
                    own.append(key - first)
            if own:
                for i, column in zip(own, dataset.get_examples(indices, tuple(own))):
                    found[first + i] = column
            first += len(dataset.keys)
        return tuple([found[key] for key in key_indices])

    def convert(self, data):
        return self._datasets[0].convert(data)


class _Concat(TabularDataset):
    def __init__(self, datasets):
        for dataset in datasets[1:]:
            if dataset.keys != datasets[0].keys:
                raise ValueError('All datasets must have the same keys')
        self._datasets = datasets

    def __len__(self):
        return sum([len(dataset) for dataset in self._datasets])

    @property
    def keys(self):
        return self._datasets[0].keys

    @property
    def mode(self):
        return self._datasets[0].mode

    def get_examples(self, indices, key_indices):
        count = len(self.keys if key_indices is None else key_indices)
        if indices is None:
            parts = [dataset.get_examples(None, key_indices) for dataset in self._datasets]
            return tuple([[x for part in parts for x in part[k]] for k in range(count)])
        if isinstance(indices, slice):
            indices = list(range(*indices.indices(len(self))))
        parts, places, first = {}, [None] * len(indices), 0
        for n, dataset in enumerate(self._datasets):
            own = []
            for at, i in enumerate(indices):
                if first <= i < first + len(dataset):
                    places[at] = (n, len(own))
                    own.append(i - first)
            if own:
                parts[n] = dataset.get_examples(own, key_indices)
            first += len(dataset)
        if not parts:
            return tuple([[] for _ in range(count)])
        if len(parts) == 1:
            return list(parts.values())[0]
        return tuple([[parts[n][k][i] for n, i in places] for k in range(count)])

    def convert(self, data):
        return self._datasets[0].convert(data)


class _Transform(TabularDataset):
    def __init__(self, dataset, keys, transform):
        self._dataset, self._keys, self._transform = dataset, keys if isinstance(keys, tuple) else (keys,), transform

    def __len__(self):
        return len(self._dataset)

    @property
    def keys(self):
        return self._keys

    @property
    def mode(self):
        if not hasattr(self, '_mode'):
            self.get_examples([0], None)
        return self._mode

    def _called(self, values):
        if self._dataset.mode is dict:
            return self._transform(**dict(zip(self._dataset.keys, values)))
        return self._transform(*values)

    def _parts(self, out):
        """What a function gave, by the keys."""
        mode = type(out) if isinstance(out, (tuple, dict)) else None
        if hasattr(self, '_mode') and self._mode is not mode:
            raise ValueError('transform must not change its return type')
        self._mode = mode
        if mode is tuple:
            return out
        return tuple([out[key] for key in self._keys]) if mode is dict else (out,)

    def get_examples(self, indices, key_indices):
        rows = [self._parts(self._called(values)) for values in zip(*self._dataset.get_examples(indices, None))]
        return tuple([[row[k] for row in rows] for k in (range(len(self._keys)) if key_indices is None else key_indices)])

    def convert(self, data):
        return self._dataset.convert(data)


class _TransformBatch(_Transform):
    def get_examples(self, indices, key_indices):
        if indices is None:
            size = len(self)
        else:
            size = len(range(*indices.indices(len(self))) if isinstance(indices, slice) else indices)
        columns = self._parts(self._called(self._dataset.get_examples(indices, None)))
        if not all([len(column) == size for column in columns]):
            raise ValueError('transform_batch must not change the length of data')
        return tuple([columns[k] for k in (range(len(self._keys)) if key_indices is None else key_indices)])


class _Column(TabularDataset):
    """One column of data: an array or a list."""

    def __init__(self, key, data):
        self._key, self._data = key, data

    def __len__(self):
        return len(self._data)

    @property
    def keys(self):
        return (self._key,)

    @property
    def mode(self):
        return None

    def get_examples(self, indices, key_indices):
        column = self._data
        if isinstance(indices, slice) or indices is not None and not isinstance(column, list):
            column = column[indices]
        elif indices is not None:
            column = [column[i] for i in indices]
        return (column,) * (1 if key_indices is None else len(key_indices))


def _dataset_of(key, data, size):
    if isinstance(data, (numpy.ndarray, list)):
        return _Column('_{}'.format(id(data)) if key is None else key, data)
    if callable(data):
        if key is None:
            raise ValueError('key(s) must be specified for callable')
        if size is None:
            raise ValueError('size must be specified for callable')
        return _Column('index', list(range(size))).transform(key, data)


def _size_of(parts, size):
    for data in parts:
        if size is None and hasattr(data, '__len__'):
            size = len(data)
    return size


def from_data(data, *, size=None):
    if isinstance(data, tuple):
        if len(data) == 2:
            key, column = data
            if isinstance(key, str) or isinstance(key, tuple) and all([isinstance(k, str) for k in key]):
                return _dataset_of(key, column, size)
        pairs = [d if isinstance(d, tuple) else (None, d) for d in data]
    elif isinstance(data, dict):
        pairs = list(data.items())
    else:
        return _dataset_of(None, data, size)
    size = _size_of([column for _, column in pairs], size)
    datasets = [_dataset_of(key, column, size) for key, column in pairs]
    joined = datasets[0].join(*datasets[1:])
    return joined.astuple() if isinstance(data, tuple) else joined.asdict()
