# The module concurrent.futures: what is submitted runs at once.
ALL_COMPLETED = 'ALL_COMPLETED'
FIRST_COMPLETED = 'FIRST_COMPLETED'
FIRST_EXCEPTION = 'FIRST_EXCEPTION'


class CancelledError(Exception):
    pass


class BrokenExecutor(RuntimeError):
    pass


TimeoutError = TimeoutError


class Future:
    def __init__(self):
        self._result = None

    def set_result(self, result):
        self._result = result

    def result(self, timeout=None):
        return self._result

    def exception(self, timeout=None):
        return None

    def done(self):
        return True

    def running(self):
        return False

    def cancelled(self):
        return False

    def cancel(self):
        return False

    def add_done_callback(self, fn):
        fn(self)


class Executor:
    def __init__(self, max_workers=None, *args, **kwargs):
        self._max_workers = max_workers

    def submit(self, fn, /, *args, **kwargs):
        future = Future()
        future.set_result(fn(*args, **kwargs))
        return future

    def map(self, fn, *iterables, timeout=None, chunksize=1):
        return iter([fn(*args) for args in zip(*iterables)])

    def shutdown(self, wait=True, *, cancel_futures=False):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *args):
        return False


class ThreadPoolExecutor(Executor):
    pass


class ProcessPoolExecutor(Executor):
    pass


def as_completed(fs, timeout=None):
    return iter(list(fs))


def wait(fs, timeout=None, return_when=ALL_COMPLETED):
    return set(fs), set()
