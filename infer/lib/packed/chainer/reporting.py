# This file defines what reports values.
import contextlib
import numpy
from chainer import Variable


class Reporter:
    def __init__(self):
        self._names = {}
        self.observation = {}

    def __enter__(self):
        _reporters.append(self)
        return self

    def __exit__(self, *exc):
        _reporters.pop()

    @contextlib.contextmanager
    def scope(self, observation):
        with self:
            old = self.observation
            self.observation = observation
            yield
            self.observation = old

    def add_observer(self, name, observer):
        self._names[id(observer)] = name

    def add_observers(self, prefix, observers):
        for name, observer in observers:
            self._names[id(observer)] = prefix + name

    def report(self, values, observer=None):
        prefix = ''
        if observer is not None:
            if id(observer) not in self._names:
                raise KeyError('Given observer is not registered to the reporter.')
            prefix = self._names[id(observer)] + '/'
        for key, value in values.items():
            self.observation[prefix + key] = value


_reporters = []


def get_current_reporter():
    return _reporters[-1]


def report(values, observer=None):
    if _reporters:
        _reporters[-1].report(values, observer)


@contextlib.contextmanager
def report_scope(observation):
    current = _reporters[-1]
    old = current.observation
    current.observation = observation
    yield
    current.observation = old


class Summary:
    def __init__(self):
        self._x = 0.0
        self._x2 = 0.0
        self._n = 0

    def add(self, value, weight=1):
        self._x = self._x + weight * value
        self._x2 = self._x2 + weight * value * value
        self._n = self._n + weight

    def compute_mean(self):
        return self._x / self._n

    def make_statistics(self):
        mean = self._x / self._n
        return mean, numpy.sqrt(self._x2 / self._n - mean * mean)

    def serialize(self, serializer):
        try:
            self._x, self._x2, self._n = (serializer(n, getattr(self, n)) for n in ('_x', '_x2', '_n'))
        except KeyError:
            pass  # Chainer warns


class DictSummary:
    def __init__(self):
        self._summaries = {}

    def add(self, d):
        for key, value in d.items():
            weight = 1
            if isinstance(value, tuple):
                value, weight = value
                if isinstance(weight, Variable):
                    weight = weight.array
                if not numpy.isscalar(weight) and getattr(weight, 'ndim', -1) != 0:
                    raise ValueError('Given weight to %s was not scalar.' % key)
            if isinstance(value, Variable):
                value = value.array
            if numpy.isscalar(value) or getattr(value, 'ndim', -1) == 0:
                if key not in self._summaries:
                    self._summaries[key] = Summary()
                self._summaries[key].add(value, weight)

    def compute_mean(self):
        return {key: summary.compute_mean() for key, summary in self._summaries.items()}

    def make_statistics(self):
        out = {}
        for key, summary in self._summaries.items():
            out[key], out[key + '.std'] = summary.make_statistics()
        return out

    def serialize(self, serializer):
        pass
