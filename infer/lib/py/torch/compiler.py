# This file is torch.compiler.
import functools
import _shapecheck
from . import compile
from ._compiled import stance as _stance
from ._dynamo import allow_in_graph, disable, is_compiling, reset


def is_dynamo_compiling():
    return _shapecheck.get_option('exporting') in ('strict', 'compile') or _shapecheck.compiles()


def is_exporting():
    return _shapecheck.get_option('exporting') in ('yes', 'export', 'strict', 'again')


def assume_constant_result(fn):
    return fn


def substitute_in_graph(original_fn, **kwargs):
    return lambda fn: fn


class set_stance:
    """What calls of compiled functions do from now on, in a with statement until its end, around a function while it runs."""

    def __init__(self, stance='default', *, skip_guard_eval_unsafe=False, force_backend=None):
        if stance not in ('default', 'force_eager', 'eager_on_recompile', 'fail_on_recompile', 'eager_then_compile', 'aot_eager_then_compile'):
            raise RuntimeError(f"invalid torch.compile stance '{stance}'")
        self.stance, self.before = stance, _stance[0]
        _stance[0] = stance

    def __enter__(self):
        _stance[0] = self.stance

    def __exit__(self, exc_type, exc_val, exc_tb):
        _stance[0] = self.before

    def __call__(self, fn):
        _stance[0] = self.before

        @functools.wraps(fn)
        def with_stance(*args, **kwargs):
            before, _stance[0] = _stance[0], self.stance
            try:
                return fn(*args, **kwargs)
            finally:
                _stance[0] = before
        return with_stance


def cudagraph_mark_step_begin():
    pass
