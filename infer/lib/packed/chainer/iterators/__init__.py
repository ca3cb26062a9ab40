# This file defines iterators over the examples of a dataset. A small dataset in its own order is gone through as
# Chainer does; of others an example stands for all: which one comes when is not known.
import _shapecheck
import numpy
from ..dataset import Iterator

_EXACT = 64  # up to how many examples an order is followed


class OrderSampler:
    def __call__(self, current_order, current_position):
        raise NotImplementedError


class ShuffleOrderSampler(OrderSampler):
    def __init__(self, random_state=None):
        pass

    def __call__(self, current_order, current_position):
        return numpy.random.permutation(len(current_order))


def _some(name, low, high=None):
    return _shapecheck.data_int(name, low) if high is None else _shapecheck.data_int(name, low, high)


def _open(n):
    return _shapecheck.is_symbolic(n) or _shapecheck.is_unknown(n)


class SerialIterator(Iterator):
    def __init__(self, dataset, batch_size, repeat=True, shuffle=None, order_sampler=None):
        if shuffle is not None and order_sampler is not None:
            raise ValueError('`shuffle` is not `None` and a custom `order_sampler` is set. Please set `shuffle` to `None` to use the custom order sampler.')
        self.dataset = dataset
        self.batch_size = batch_size
        self.repeat = repeat
        self._shuffle = shuffle is not False and (order_sampler is None or isinstance(order_sampler, ShuffleOrderSampler))
        self.order_sampler = order_sampler
        self.reset()

    def reset(self):
        n = len(self.dataset)
        self._exact = not _open(n) and not _open(self.batch_size) and n <= _EXACT
        self._order = None  # of the program's own sampler
        if self._exact and self.order_sampler is not None and not self._shuffle:
            self._order = self.order_sampler(numpy.arange(n), 0)
            n = len(self._order)
            self._exact = not _open(n)
        if not _open(n) and n == 0 and self.repeat:
            self._exact = True
        self._position, self._epoch, self._is_new_epoch = 0, 0, False
        self._previous = -1.
        self._served = 0

    def __iter__(self):
        if self._exact or self.repeat or self._served:
            return self
        n, size = len(self.dataset), self.batch_size
        if _open(n) or _open(size):
            return _shapecheck.batches([self._batch(size)], _some('batches', 1))
        parts = [self._batch(size)] if n >= size else []
        if n % size:
            parts.append(self._batch(n % size))
        return _shapecheck.batches(parts, -(-n // size))

    def __next__(self):
        self._previous = self.epoch_detail
        if self._exact:
            return [self._example(i) for i in self._indices()]
        if not self.repeat and self._served and _some('ended', 0, 1) == 1:
            raise StopIteration
        self._served += 1
        n, size = len(self.dataset), self.batch_size
        if not self.repeat and not _open(n) and not _open(size) and n < size:
            size = n
        return self._batch(size)

    def next(self):
        return self.__next__()

    def _batches(self, epochs):
        """How many batches are served until so many epochs are over, None if that is not known."""
        n, size = len(self.dataset), self.batch_size
        if _open(n) or _open(size) or not self.repeat or not 0 < size <= n:
            return None
        return -(-epochs * n // size)

    def _served_batches(self, count):
        # So many batches have come since the first one; None: how many is not known.
        if count is None or self._batches(1) is None or _open(count):
            self._exact = False
            self._served += 1
            return
        n, size = len(self.dataset), self.batch_size
        self._exact = True
        self._epoch, self._position = divmod(count * size, n)
        self._is_new_epoch = self._position < size
        self._previous = (count - 1) * size // n + (count - 1) * size % n / n

    def _indices(self):
        """The positions of the next batch, which may go around the end."""
        i, n = self._position, self._epoch_size
        if not self.repeat and self._epoch > 0:
            raise StopIteration
        if self.repeat and n == 0:
            raise ValueError('Epoch size must be positive for an iterator that repeats.')
        end = i + self.batch_size
        indices = []
        self._is_new_epoch = False
        while end >= n:
            indices += self._ordered(i, n)
            if self._order is not None:
                order = self.order_sampler(self._order, i)
                if len(order) != n:
                    raise ValueError('The size of order does not match the size of the previous order.')
                self._order = order
            self._epoch += 1
            self._is_new_epoch = True
            i = 0
            if not self.repeat:
                end = 0
                break
            end -= n
        indices += self._ordered(i, end)
        self._position = end
        return indices

    def _ordered(self, start, stop):
        return range(start, stop) if self._order is None else self._order[start:stop].tolist()

    def _example(self, i):
        return self.dataset[_some('index', 0, len(self.dataset) - 1) if self._shuffle else i]

    def _batch(self, size):
        """Examples that are alike."""
        return [self.dataset[_some('index', 0, len(self.dataset) - 1)]] * size

    def serialize(self, serializer):
        position, epoch, new = (serializer(n, getattr(self, n)) for n in ('current_position', 'epoch', 'is_new_epoch'))
        previous = serializer('previous_epoch_detail', self._previous)
        if self._shuffle or self._order is not None:
            serializer('order', numpy.arange(self._epoch_size) if self._order is None else self._order)
        if _open(position) or _open(epoch) or _open(new):
            self._exact = False
        else:
            self._position, self._epoch, self._is_new_epoch, self._previous = position, epoch, new, previous

    @property
    def epoch(self):
        return self._epoch if self._exact else _some('epoch', 0)

    @property
    def is_new_epoch(self):
        return self._is_new_epoch if self._exact else _some('new', 0, 1) == 1

    @property
    def current_position(self):
        return self._position if self._exact else _some('position', 0)

    @property
    def _epoch_size(self):
        return len(self.dataset) if self._order is None else len(self._order)

    @property
    def epoch_detail(self):
        return self.epoch + self.current_position / self._epoch_size

    @property
    def previous_epoch_detail(self):
        return None if self._previous < 0 else self._previous


class MultiprocessIterator(SerialIterator):
    class TimeoutWarning(RuntimeWarning):
        pass

    def __init__(self, dataset, batch_size, repeat=True, shuffle=None, n_processes=None, n_prefetch=1, shared_mem=None, order_sampler=None,
                 dataset_timeout=30.0, maxtasksperchild=None):
        super().__init__(dataset, batch_size, repeat, shuffle, order_sampler)
        self.shuffle, self.n_processes, self.n_prefetch = shuffle, n_processes, n_prefetch


class MultithreadIterator(SerialIterator):
    def __init__(self, dataset, batch_size, repeat=True, shuffle=None, n_threads=1, order_sampler=None):
        super().__init__(dataset, batch_size, repeat, shuffle, order_sampler)
        self.n_threads = n_threads


class DaliIterator(Iterator):
    def __init__(self, pipeline, repeat=True):
        self.pipeline = pipeline

    def __next__(self):
        return _shapecheck.unknown('what a pipeline of DALI gives')
