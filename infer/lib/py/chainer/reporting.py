# This file defines what reports values: observations are kept, not averaged.
import contextlib


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
            prefix = self._names.get(id(observer), '') + '/'
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
    if _reporters:
        with _reporters[-1].scope(observation):
            yield
    else:
        yield


class Summary:
    def __init__(self):
        self._x = 0.0

    def add(self, value, weight=1):
        self._x = value

    def compute_mean(self):
        return self._x

    def make_statistics(self):
        return self._x, self._x


class DictSummary:
    def __init__(self):
        self._d = {}

    def add(self, d):
        self._d.update(d)

    def compute_mean(self):
        return dict(self._d)
