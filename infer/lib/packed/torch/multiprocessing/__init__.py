# This file is torch.multiprocessing. What a process would do is done when it is
# started, once: its faults are those of the script.
from _shapecheck import unknown


def set_start_method(method, force=False):
    pass


def get_start_method(allow_none=False):
    return 'fork'


def set_sharing_strategy(new_strategy):
    pass


def get_sharing_strategy():
    return 'file_descriptor'


class ProcessContext:
    def join(self, timeout=None, grace_period=None):
        return True


def spawn(fn, args=(), nprocs=1, join=True, daemon=False, start_method='spawn'):
    fn(0, *args)
    return None if join else ProcessContext()


def start_processes(fn, args=(), nprocs=1, join=True, daemon=False, start_method='spawn'):
    return spawn(fn, args, nprocs, join, daemon, start_method)


class Process:
    exitcode = None
    pid = None

    def __init__(self, group=None, target=None, name=None, args=(), kwargs={}, *, daemon=None):
        self._target = target
        self._args = tuple(args)
        self._kwargs = dict(kwargs)
        self.name = name or 'Process-1'
        self.daemon = bool(daemon)

    def run(self):
        if self._target is not None:
            self._target(*self._args, **self._kwargs)

    def start(self):
        self.pid = 1
        self.run()
        self.exitcode = 0

    def join(self, timeout=None):
        pass

    terminate = kill = close = join

    def is_alive(self):
        return False


class _Context:
    Process = Process

    def get_start_method(self, allow_none=False):
        return 'fork'

    def __getattr__(self, name):
        return unknown('what processes share')


def get_context(method=None):
    return _Context()


def active_children():
    return []


def current_process():
    return Process(name='MainProcess')


# What is passed between processes is not followed.
def __getattr__(name):
    if name in ('Queue', 'SimpleQueue', 'JoinableQueue', 'Pipe', 'Pool', 'Manager', 'Lock', 'RLock', 'Event', 'Semaphore',
                'BoundedSemaphore', 'Condition', 'Barrier', 'Value', 'Array'):
        return unknown('what processes share')
    raise AttributeError(f"module 'torch.multiprocessing' has no attribute {name!r}")


def cpu_count():
    return 1
