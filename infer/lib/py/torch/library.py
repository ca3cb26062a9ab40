# This file is torch.library: custom operators are their Python functions.


class Library:
    def __init__(self, ns, kind, dispatch_key=''):
        self.ns = ns

    def define(self, schema, alias_analysis=''):
        return schema

    def impl(self, op_name, fn, dispatch_key=''):
        pass


def _decorator(*args, **kwargs):
    return lambda f: f


def register_autograd(op, backward, /, *, setup_context=None, lib=None):
    pass


def register_autocast(op, device_type, cast_inputs, /, *, lib=None):
    pass


register_fake = _decorator
impl_abstract = _decorator
register_kernel = _decorator
impl = _decorator


def custom_op(name, fn=None, *, mutates_args=(), device_types=None, schema=None):
    def wrap(f):
        from .ops import made
        made[name] = f
        f.register_fake = lambda g: g
        f.register_autograd = lambda *args, **kwargs: None
        f.register_kernel = _decorator
        return f
    return wrap if fn is None else wrap(fn)


def wrap_triton(kernel, /):
    return kernel


def triton_op(name, fn=None, /, *, mutates_args=(), schema=None):
    return custom_op(name, fn, mutates_args=mutates_args)


def define(*args, **kwargs):
    return lambda f: f
