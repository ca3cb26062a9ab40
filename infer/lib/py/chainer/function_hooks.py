# This file defines the hooks that measure and print functions: they change no types.
import _shapecheck
from .function_node import FunctionHook


class TimerHook(FunctionHook):
    name = 'TimerHook'
    table = {'sec': 1, 'ms': 10 ** 3, 'us': 10 ** 6, 'ns': 10 ** 9}

    @property
    def call_history(self):
        return _shapecheck.unknown('the time of functions')

    def total_time(self):
        return _shapecheck.unknown('the time of functions')

    def summary(self):
        return _shapecheck.unknown('the time of functions')

    def print_report(self, unit='auto', file=None):
        pass


class PrintHook(FunctionHook):
    name = 'PrintHook'

    def __init__(self, sep=None, end='\n', file=None, flush=True):
        pass


class CUDAProfileHook(FunctionHook):
    name = 'CUDAProfileHook'

    def __init__(self):
        raise RuntimeError('nvtx is required for CUDAProfileHook')


class CupyMemoryProfileHook(FunctionHook):
    name = 'CupyMemoryProfileHook'

    def __init__(self):
        raise RuntimeError('CuPy is required')
