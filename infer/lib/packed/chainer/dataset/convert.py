# This file joins the examples of a batch.
import numpy


class Converter:
    def __call__(self, batch, device=None):
        raise NotImplementedError('Concrete classes must implement __call__.')


class _Decorated(Converter):
    def __init__(self, func):
        self.__name__ = func.__name__
        self._func = func

    def __call__(self, *args, **kwargs):
        return self._func(*args, **kwargs)


def converter():
    return _Decorated


def to_device(device, x):
    return x


def concat_examples(batch, device=None, padding=None):
    if not batch:
        raise ValueError('batch is empty')
    first = batch[0]
    if isinstance(first, tuple):
        if not isinstance(padding, tuple):
            padding = (padding,) * len(first)
        return tuple([_joined([example[i] for example in batch], padding[i]) for i in range(len(first))])
    if isinstance(first, dict):
        if not isinstance(padding, dict):
            padding = {key: padding for key in first}
        return {key: _joined([example[key] for example in batch], padding[key]) for key in first}
    return _joined(batch, padding)


def _joined(arrays, padding):
    if not isinstance(arrays[0], numpy.ndarray):
        if padding is None and (arrays[0] is None or isinstance(arrays[0], str)):
            arrays[0][None]  # as of each element
        arrays = numpy.asarray(arrays)
        if arrays.ndim == 1:
            return arrays
    if padding is None:
        return numpy.concatenate([a[None] for a in arrays])
    rank = arrays[0].ndim
    shape = [max([a.shape[0 if a.ndim == 1 else i] for a in arrays]) for i in range(rank)]  # the shapes are broadcast, too
    result = numpy.full((len(arrays),) + tuple(shape), padding, dtype=arrays[0].dtype)
    for i, a in enumerate(arrays):
        result[(i,) + tuple([slice(0, n) for n in a.shape])] = a
    return result


class ConcatWithAsyncTransfer:
    def __init__(self, stream=None, compute_stream=None):
        pass

    def __call__(self, batch, device=None, padding=None):
        return concat_examples(batch, device, padding)


def _call_converter(converter, batch, device):
    if isinstance(converter, Converter) or getattr(converter, '__name__', None) == 'concat_examples':
        return converter(batch, device)
    return converter(batch, None if device is None else -1)
