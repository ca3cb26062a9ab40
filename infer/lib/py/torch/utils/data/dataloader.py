# This file defines DataLoader. Samples of a dataset are alike in type, so a
# batch is made of one sample, as often as the batch is large; a second one is
# compared with it. A full batch and
# the last, when that is smaller, are gone through; then one that is either.
import _shapecheck
import torch
from .dataset import IterableDataset
from .sampler import BatchSampler, RandomSampler, SequentialSampler


def get_worker_info():
    return None


def default_convert(data):
    return data


def default_collate(batch):
    return _shapecheck.collated(_collate(batch[0], len(batch), batch), len(batch))


# The samples are alike in type, not in value: the values are not kept.
def _collate(elem, n, batch):
    if _shapecheck.is_unknown(elem):
        return _shapecheck.unknown('a sample of a data set')
    if isinstance(elem, torch.Tensor):
        return elem.new_empty((n,) + tuple(elem.shape))
    if isinstance(elem, float):
        return torch.empty(n, dtype=torch.float64)
    if isinstance(elem, int):
        return torch.empty(n, dtype=torch.bool if isinstance(elem, bool) else torch.int64)
    if isinstance(elem, (str, bytes)):
        return [elem] * n if batch is None else batch
    if isinstance(elem, dict) and _shapecheck.is_open(elem):
        known = {key: _collate(elem[key], n, None) for key in _shapecheck.known_keys(elem)}
        return _shapecheck.open_dict(known, _shapecheck.unknown('a column of a data set'))
    if isinstance(elem, dict):
        return {key: _collate(elem[key], n, None) for key in elem}
    if isinstance(elem, tuple) and hasattr(elem, '_fields'):
        return type(elem)(*[_collate(e, n, None) for e in elem])
    if isinstance(elem, (tuple, list)):
        return [_collate(e, n, None) for e in elem]
    if type(elem).__module__ == 'numpy':
        return _collate(torch.as_tensor(elem), n, None)
    raise TypeError(f'default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found {type(elem)}')


# Sizes in which two samples differ are a fault of stack, as in PyTorch.
def _compare(a, b):
    if isinstance(a, torch.Tensor):
        if isinstance(b, torch.Tensor):
            torch.stack([a, b])
    elif isinstance(a, dict):
        for key in a:
            if key in b:
                _compare(a[key], b[key])
    elif isinstance(a, (tuple, list)):
        if isinstance(b, (tuple, list)) and not _shapecheck.is_symbolic(len(a)) and not _shapecheck.is_symbolic(len(b)):
            for x, y in zip(a, b):
                _compare(x, y)
    elif type(a).__module__ == 'numpy' and type(b).__module__ == 'numpy':
        _compare(torch.as_tensor(a), torch.as_tensor(b))


class DataLoader:
    def __class_getitem__(cls, item):
        return cls

    def __init__(self, dataset, batch_size=1, shuffle=None, sampler=None, batch_sampler=None, num_workers=0,
                 collate_fn=None, pin_memory=False, drop_last=False, timeout=0, worker_init_fn=None,
                 multiprocessing_context=None, generator=None, *, prefetch_factor=None, persistent_workers=False,
                 pin_memory_device='', in_order=True):
        if num_workers < 0:
            raise ValueError('num_workers option should be non-negative; use num_workers=0 to disable multiprocessing.')
        if sampler is not None and shuffle:
            raise ValueError('sampler option is mutually exclusive with shuffle')
        if batch_sampler is not None:
            if batch_size != 1 or shuffle or sampler is not None or drop_last:
                raise ValueError('batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last')
            batch_size = None
            drop_last = False
        elif batch_size is None and drop_last:
            raise ValueError('batch_size=None option disables auto-batching and is mutually exclusive with drop_last')
        self.dataset = dataset
        self.num_workers = num_workers
        self.pin_memory = pin_memory
        self.timeout = timeout
        self._iterable = isinstance(dataset, IterableDataset)
        if sampler is None and not self._iterable:
            sampler = RandomSampler(dataset) if shuffle else SequentialSampler(dataset)
        if batch_size is not None and batch_sampler is None and not self._iterable:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        self.batch_size = batch_size
        self.drop_last = drop_last
        self.sampler = sampler
        self.batch_sampler = batch_sampler
        self.generator = generator
        self.worker_init_fn = worker_init_fn
        batched = batch_size is not None or batch_sampler is not None
        self.collate_fn = collate_fn if collate_fn is not None else default_collate if batched else default_convert

    def _batch(self, sample, n):
        if self.collate_fn is default_collate:
            other = self._other(sample, n)
            if other is not sample and not _shapecheck.is_unknown(sample) and not _shapecheck.is_unknown(other):
                _compare(sample, other)
            return _shapecheck.collated(_collate(sample, n, None), n)
        samples = [sample] * n
        if len(samples) > 1:
            samples[1] = self._other(sample, n)
        return _shapecheck.collated(self.collate_fn(samples), n)

    # Another sample of a batch of n, where there are samples by number.
    def _other(self, sample, n):
        if self._iterable or not isinstance(self.sampler, (SequentialSampler, RandomSampler)):
            return sample
        for size in (n, len(self.sampler)):
            if _shapecheck.is_symbolic(size) or _shapecheck.is_unknown(size) or size < 2:
                return sample
        return self.dataset[1]

    def __iter__(self):
        if self._iterable:
            sample = next(iter(self.dataset))
            if self.batch_size is None:
                return _shapecheck.batches([sample], _shapecheck.data_int('batches', 1))
            parts = [self._batch(sample, self.batch_size)]
            return _shapecheck.batches(self._partial(parts, sample, self.batch_size), _shapecheck.data_int('batches', 1))
        if self.batch_sampler is None:
            n = len(self.sampler)
            return _shapecheck.batches([self.collate_fn(self._sample())], n)
        if type(self.batch_sampler) is BatchSampler:
            n, size = len(self.batch_sampler.sampler), self.batch_sampler.batch_size
            if _shapecheck.is_symbolic(n) or _shapecheck.is_unknown(n):
                sample = self._sample()
                parts = [self._batch(sample, size)]
                return _shapecheck.batches(self._partial(parts, sample, size), _shapecheck.data_int('batches', 1))
            parts = [self._batch(self._sample(), size)] if n >= size else []
            if parts and _shapecheck.each_batch(len(self.batch_sampler)):
                parts += [self._batch(self._sample(), size) for _ in range(n // size - 1)]
            if n % size != 0 and not self.batch_sampler.drop_last:
                parts.append(self._batch(self._sample(), n % size))
            return _shapecheck.batches(parts, len(self.batch_sampler)) if parts else iter([])
        indices = next(iter(self.batch_sampler))
        return _shapecheck.batches([self.collate_fn([self.dataset[i] for i in indices])], _shapecheck.data_int('batches', 1))

    def _partial(self, parts, sample, size):
        # How large the last batch is nobody knows.
        drop = self.drop_last if self.batch_sampler is None else self.batch_sampler.drop_last
        if not drop and size > 1 and self.collate_fn is default_collate:
            parts.append(self._batch(sample, _shapecheck.data_int('last', 1, size)))
        return parts

    def _sample(self):
        sampler = self.sampler if self.batch_sampler is None else self.batch_sampler.sampler
        if isinstance(sampler, (SequentialSampler, RandomSampler)):
            return self.dataset[0]
        return self.dataset[next(iter(sampler))]

    def __len__(self):
        if self._iterable:
            if not hasattr(self.dataset, '__len__'):
                raise TypeError(f"object of type '{type(self.dataset).__name__}' has no len()")
            n = len(self.dataset)
            if self.batch_size is None:
                return n
            return n // self.batch_size if self.drop_last else -(-n // self.batch_size)
        return len(self.sampler if self.batch_sampler is None else self.batch_sampler)
