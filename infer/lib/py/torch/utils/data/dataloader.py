# This file defines DataLoader. Samples of a dataset are alike in type, so a
# batch is made of one sample, as often as the batch is large; of the batches
# only two kinds are given: a full one, and the last when it is smaller.
import torch
from .dataset import IterableDataset
from .sampler import BatchSampler, RandomSampler, SequentialSampler


def get_worker_info():
    return None


def default_convert(data):
    return data


def default_collate(batch):
    elem = batch[0]
    # empty_like and empty: what is known of one sample's contents does not hold
    # for the others.
    if isinstance(elem, torch.Tensor):
        return torch.empty_like(torch.stack(batch, 0))
    if isinstance(elem, bool):
        return torch.empty(len(batch), dtype=torch.bool)
    if isinstance(elem, float):
        return torch.empty(len(batch), dtype=torch.float64)
    if isinstance(elem, int):
        return torch.empty(len(batch), dtype=torch.int64)
    if isinstance(elem, (str, bytes)):
        return batch
    if isinstance(elem, dict):
        return {key: default_collate([d[key] for d in batch]) for key in elem}
    if isinstance(elem, tuple) and hasattr(elem, '_fields'):
        return type(elem)(*[default_collate(list(samples)) for samples in zip(*batch)])
    if isinstance(elem, (tuple, list)):
        for other in batch:
            if len(other) != len(elem):
                raise RuntimeError('each element in list of batch should be of equal size')
        return [default_collate(list(samples)) for samples in zip(*batch)]
    if type(elem).__module__ == 'numpy':
        return torch.stack([torch.as_tensor(b) for b in batch], 0)
    raise TypeError(f'default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found {type(elem)}')


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
        return self.collate_fn([sample] * n)

    def __iter__(self):
        if self._iterable:
            sample = next(iter(self.dataset))
            yield sample if self.batch_size is None else self._batch(sample, self.batch_size)
        elif self.batch_sampler is None:
            yield self.collate_fn(self.dataset[next(iter(self.sampler))])
        elif type(self.batch_sampler) is BatchSampler:
            n, size = len(self.sampler), self.batch_size or self.batch_sampler.batch_size
            sample = self.dataset[next(iter(self.sampler))]
            if n >= size:
                yield self._batch(sample, size)
            if n % size != 0 and not self.batch_sampler.drop_last:
                yield self._batch(sample, n % size)
        else:
            indices = next(iter(self.batch_sampler))
            yield self.collate_fn([self.dataset[i] for i in indices])

    def __len__(self):
        if self._iterable:
            n = len(self.dataset)
            if self.batch_size is None:
                return n
            return n // self.batch_size if self.drop_last else -(-n // self.batch_size)
        return len(self.sampler if self.batch_sampler is None else self.batch_sampler)
