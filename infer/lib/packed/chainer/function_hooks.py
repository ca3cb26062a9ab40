# This file defines the hooks that measure and print functions: they change no types.
import _shapecheck
import time
from .function_node import FunctionHook


class _Timer:
    """What measures functions or links: the history has the name of each, and how long it ran."""

    def __init__(self):
        self.call_history = []
        self._started = []
        self._total_time = 0

    def _start(self):
        self._started.append(time.perf_counter())

    def _stop(self, name):
        elapsed = time.perf_counter() - self._started.pop()
        self.call_history.append((name, elapsed))
        if not self._started:
            self._total_time += elapsed

    def total_time(self):
        return self._total_time

    def summary(self):
        found = {}
        for name, elapsed in self.call_history:
            entry = found.setdefault(name, {'elapsed_time': 0, 'occurrence': 0})
            entry['elapsed_time'] += elapsed
            entry['occurrence'] += 1
        return found

    def print_report(self, unit='auto', file=None):
        if file is not None:
            file.write(_shapecheck.unknown('the time of functions'))


class TimerHook(_Timer, FunctionHook):
    name = 'TimerHook'
    table = {'sec': 1, 'ms': 10 ** 3, 'us': 10 ** 6, 'ns': 10 ** 9}

    def forward_preprocess(self, function, in_data):
        self._start()

    def backward_preprocess(self, function, in_data, out_grad):
        self._start()

    def forward_postprocess(self, function, in_data):
        self._stop(function._impl_name)

    def backward_postprocess(self, function, in_data, out_grad):
        self._stop(function._impl_name)


class PrintHook(FunctionHook):
    name = 'PrintHook'

    def __init__(self, sep=None, end='\n', file=None, flush=True):
        self.sep = sep
        self.end = end
        self.file = file
        self.flush = flush

    def forward_preprocess(self, function, in_data):
        if self.file is not None:
            self.file.write(_shapecheck.unknown('the text that a PrintHook writes'))


class CUDAProfileHook(FunctionHook):
    name = 'CUDAProfileHook'

    def __init__(self):
        raise RuntimeError('nvtx is required for CUDAProfileHook')


class CupyMemoryProfileHook(FunctionHook):
    name = 'CupyMemoryProfileHook'

    def __init__(self):
        raise RuntimeError('CuPy is required')
