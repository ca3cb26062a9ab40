# This file defines functional_call: a call with other parameters.
import contextlib


@contextlib.contextmanager
def _replaced(module, values):
    saved = []
    for name, value in values.items():
        path, _, last = name.rpartition('.')
        owner = module.get_submodule(path)
        table = owner._parameters if last in owner._parameters else owner._buffers
        saved.append((table, last, table.get(last)))
        table[last] = value
    try:
        yield
    finally:
        for table, last, value in reversed(saved):
            table[last] = value


def functional_call(module, parameters_and_buffers, args=None, kwargs=None, *, tie_weights=True, strict=False):
    if isinstance(parameters_and_buffers, (tuple, list)):
        merged = {}
        for d in parameters_and_buffers:
            merged.update(d)
        parameters_and_buffers = merged
    if args is None:
        args = ()
    elif not isinstance(args, tuple):
        args = (args,)
    with _replaced(module, parameters_and_buffers):
        return module(*args, **(kwargs or {}))
