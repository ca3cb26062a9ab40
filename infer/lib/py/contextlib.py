# The module contextlib.


class AbstractContextManager:
    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc_value, traceback):
        return None


class AbstractAsyncContextManager:
    pass


class ContextDecorator:
    def _recreate_cm(self):
        return self

    def __call__(self, func):
        def inner(*args, **kwds):
            with self._recreate_cm():
                return func(*args, **kwds)
        from functools import update_wrapper
        return update_wrapper(inner, func)


class _GeneratorContextManager(ContextDecorator):
    def __init__(self, func, args, kwds):
        self.gen = func(*args, **kwds)
        self.func = func
        self.args = args
        self.kwds = kwds
        self.__shapecheck_body__ = func

    def _recreate_cm(self):
        return self.__class__(self.func, self.args, self.kwds)

    def __enter__(self):
        try:
            return next(self.gen)
        except StopIteration:
            raise RuntimeError("generator didn't yield") from None

    def __exit__(self, typ, value, traceback):
        if typ is None:
            for _ in self.gen:  # none, if it is not known how far it has run
                raise RuntimeError("generator didn't stop")
            return False
        if value is None:
            value = typ()
        try:
            self.gen.throw(value)
        except StopIteration as exc:
            return exc is not value
        except BaseException as exc:
            if exc is value:
                return False
            raise
        raise RuntimeError("generator didn't stop after throw()")


def contextmanager(func):
    def helper(*args, **kwds):
        return _GeneratorContextManager(func, args, kwds)
    from functools import update_wrapper
    return update_wrapper(helper, func)


def asynccontextmanager(func):
    return func


class closing:
    def __init__(self, thing):
        self.thing = thing

    def __enter__(self):
        return self.thing

    def __exit__(self, *exc_info):
        self.thing.close()


aclosing = closing


class _Redirect:
    def __init__(self, new_target):
        self._new_target = new_target

    def __enter__(self):
        return self._new_target

    def __exit__(self, exctype, excinst, exctb):
        return None


class redirect_stdout(_Redirect):
    pass


class redirect_stderr(_Redirect):
    pass


class suppress:
    def __init__(self, *exceptions):
        self._exceptions = exceptions
        self.__shapecheck_catches__ = exceptions

    def __enter__(self):
        pass

    def __exit__(self, exctype, excinst, exctb):
        return exctype is not None and issubclass(exctype, self._exceptions)


class nullcontext:
    def __init__(self, enter_result=None):
        self.enter_result = enter_result

    def __enter__(self):
        return self.enter_result

    def __exit__(self, *excinfo):
        pass


class ExitStack:
    def __init__(self):
        self._callbacks = []

    def __enter__(self):
        return self

    def enter_context(self, cm):
        result = cm.__enter__()
        self._callbacks.append(cm.__exit__)
        return result

    def push(self, exit):
        self._callbacks.append(exit.__exit__ if hasattr(exit, '__exit__') else exit)
        return exit

    def callback(self, callback, /, *args, **kwds):
        def run(exc_type, exc, tb):
            callback(*args, **kwds)
        self._callbacks.append(run)
        return callback

    def pop_all(self):
        new = type(self)()
        new._callbacks = self._callbacks
        self._callbacks = []
        return new

    def close(self):
        self.__exit__(None, None, None)

    def __exit__(self, exc_type, exc, tb):
        suppressed = False
        while self._callbacks:
            if self._callbacks.pop()(exc_type, exc, tb):
                suppressed = exc_type is not None
                exc_type = exc = tb = None
        return suppressed


AsyncExitStack = ExitStack
