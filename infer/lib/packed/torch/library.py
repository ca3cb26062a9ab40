# This file is torch.library: custom operators. One runs as its kernel, which is Python; where that
# is none, or what it gives is not known (it calls a compiled library), its fake implementation
# gives the types of the results.
import inspect
import _shapecheck
import torch
from . import ops

# Which kernel stands for an operator: all devices have results of the same types.
_PREFERRED = ['default', 'CompositeImplicitAutograd', 'CompositeExplicitAutograd', 'CPU', 'CUDA', 'Autograd']


def _plain(keys):
    """The names of dispatch keys for devices and for keys: 'cuda' is CUDA, None all of them."""
    keys = [keys] if keys is None or isinstance(keys, str) else list(keys)
    return ['default' if k in (None, 'default', '') else k.upper() if k in ('cpu', 'cuda') else k for k in keys]


def _known(v):
    if _shapecheck.is_unknown(v):
        return False
    return all([_known(e) for e in v]) if isinstance(v, (tuple, list)) else True


def _standing(v, name):
    """A result of a fake implementation: its type is known, its numbers are not."""
    if isinstance(v, torch.Tensor):
        return torch._stand_in(v, what='the custom operator ' + name)
    if isinstance(v, (tuple, list)):
        return type(v)([_standing(e, name) for e in v])
    return v


def _has_gradient(v):
    return isinstance(v, torch.Tensor) and v.requires_grad


class _Below(torch.autograd.Function):
    """The call of a kernel that runs below autograd, with the gradient that was registered for it."""

    @staticmethod
    def forward(ctx, op, kernel, named, *args):
        ctx.needs_input_grad = ctx.needs_input_grad[3:]
        y = _shapecheck.opaque(kernel, *args, **named)
        if op.setup is not None:
            if op.params is not None and any([kwonly for _, kwonly in op.params]):
                op.setup(ctx=ctx, inputs=args, keyword_only_inputs=named, output=y)
            else:
                op.setup(ctx=ctx, inputs=args, output=y)
        ctx._operator = op
        return y

    @staticmethod
    def backward(ctx, *grads):
        op = ctx._operator
        if op.backward is None:
            raise RuntimeError('Trying to backward through ' + op.name.replace('::', '.') + '.default but no autograd formula was '
                               'registered. Please use register_autograd to add one.')
        given = op.backward(ctx, *grads)
        return (None, None, None, *(given if isinstance(given, tuple) else (given,)))


class _Operator:
    """What was registered for the operator of one name, NAMESPACE::NAME."""

    def __init__(self, name):
        self.name, self.kernels, self.fake, self.params = name, {}, None, None
        # Whether its kernels run below autograd, and then its gradient and what prepares that.
        self.below, self.backward, self.setup = False, None, None

    def define(self, schema):
        """Takes the names of the parameters from a schema, "(Tensor x, *, int n=2) -> Tensor"."""
        inside = schema[schema.index('(') + 1:schema.rindex('->')].strip()[:-1]
        params, kwonly, depth, start = [], False, 0, 0
        for i, c in enumerate(inside + ','):
            depth += 1 if c in '([' else -1 if c in ')]' else 0
            if c == ',' and depth == 0:
                word = inside[start:i].strip()
                start = i + 1
                if word == '*':
                    kwonly = True
                elif word:
                    params.append((word.split('=')[0].split()[-1], kwonly))
        self.params = params

    def positional(self, args, kwargs):
        """The arguments as kernels get them: by name only those that must be."""
        if not kwargs or self.params is None:
            return args, kwargs
        args, kwargs = list(args), dict(kwargs)
        for name, kwonly in self.params[len(args):]:
            if kwonly or name not in kwargs:
                break
            args.append(kwargs.pop(name))
        return args, kwargs

    def kernel(self):
        for key in _PREFERRED:
            if key in self.kernels:
                return self.kernels[key]
        return list(self.kernels.values())[0] if self.kernels else None

    def __call__(self, *args, **kwargs):
        kernel = self.kernel()
        if kernel is None and self.fake is None:
            return _shapecheck.unknown('no kernel in Python for the custom operator ' + self.name)
        args, kwargs = self.positional(args, kwargs)
        capturing = _shapecheck.get_option('exporting') in ('export', 'strict', 'compile')
        if kernel is not None and not (capturing and self.fake is not None):  # the kernel itself is in no graph
            if self.below and torch.is_grad_enabled() and any([_has_gradient(a) for a in (*args, *kwargs.values())]):
                y = _Below.apply(self, kernel, kwargs, *args)
            else:
                y = _shapecheck.opaque(kernel, *args, **kwargs)
            if self.fake is None or _known(y):
                return y
        return _standing(self.fake(*args, **kwargs), self.name)


def _operator(op):
    """The record of an operator that is given by its name, an overload, or itself."""
    if isinstance(op, CustomOpDef):
        return op._operator
    name = op if isinstance(op, str) else getattr(op, '_qualname', op)
    if not isinstance(name, str) or _shapecheck.is_unknown(name):
        return _Operator('?')
    space, sep, rest = name.partition('::')
    name = space + sep + rest.split('.')[0]
    if name not in ops.made:
        ops.made[name] = _Operator(name)
    return ops.made[name]


def _registered(register, fn):
    """What a registration gives: a decorator, or nothing where the function is at hand."""
    def wrap(f):
        register(f)
        return f
    return wrap if fn is None else wrap(fn)


def _nothing(*args, **kwargs):
    pass


class Library:
    def __init__(self, ns, kind, dispatch_key=''):
        self.ns, self.kind, self.dispatch_key = ns, kind, dispatch_key

    def _name(self, op):
        return op if not isinstance(op, str) or '::' in op else self.ns + '::' + op

    def define(self, schema, alias_analysis='', *, tags=()):
        name = schema.split('(')[0].strip()
        _operator(self._name(name)).define(schema)
        return name.split('.')[0]

    def impl(self, op_name, fn, dispatch_key='', *, with_keyset=False, allow_override=False):
        if not callable(fn) or with_keyset:
            return
        _register(self._name(op_name), dispatch_key or self.dispatch_key, fn)

    def _register_fake(self, op_name, fn, _stacklevel=1, *, allow_override=False):
        _operator(self._name(op_name)).fake = fn

    def fallback(self, fn, dispatch_key='', *, with_keyset=False):
        pass

    def _destroy(self):
        pass


def _register(op, keys, fn):
    o = _operator(op)
    for key in _plain(keys):
        if key == 'Meta':
            o.fake = fn
        else:
            o.kernels[key] = fn


class CustomOpDef:
    """A custom operator as the decorator custom_op makes it."""

    def __init__(self, name, fn, device_types):
        self._operator = _Operator(name)
        self._operator.below = True
        self._qualname = name
        self._namespace, _, self._name = name.partition('::')
        self._init_fn = fn
        for key in _plain(device_types):
            self._operator.kernels[key] = fn
        self._operator.params = [(p.name, p.kind == p.KEYWORD_ONLY) for p in inspect.signature(fn).parameters.values()]
        self.__name__ = self._name
        ops.made[name] = self._operator

    @property
    def _opoverload(self):
        return ops.OpOverload(self._qualname, self._operator)

    def __call__(self, *args, **kwargs):
        return self._operator(*args, **kwargs)

    def register_fake(self, fn, /):
        self._operator.fake = fn
        return fn

    def register_kernel(self, device_types, fn=None, /):
        return _registered(lambda f: _register(self, device_types, f), fn)

    def register_autograd(self, backward, /, *, setup_context=None):
        register_autograd(self, backward, setup_context=setup_context)

    def register_autocast(self, device_type, cast_inputs, /):
        pass

    def register_vmap(self, func=None):
        return _registered(_nothing, func)

    def register_torch_dispatch(self, torch_dispatch_class, fn=None, /):
        return _registered(_nothing, fn)


def custom_op(name, fn=None, /, *, mutates_args=(), device_types=None, schema=None, tags=None):
    def wrap(f):
        return CustomOpDef(name, f, device_types)
    return wrap if fn is None else wrap(fn)


def triton_op(name, fn=None, /, *, mutates_args=(), schema=None):
    return custom_op(name, fn, mutates_args=mutates_args)


def wrap_triton(kernel, /):
    return kernel


def define(qualname, schema, *, lib=None, tags=()):
    if isinstance(qualname, Library):
        def wrap(f):
            name = qualname.define(schema)
            qualname.impl(name, f, 'CompositeImplicitAutograd')
            return f
        return wrap
    _operator(qualname).define(schema)


def impl(qualname, types, func=None, *, lib=None):
    if isinstance(qualname, Library):  # impl(lib, name, dispatch_key), the older form
        return _registered(lambda f: qualname.impl(types, f, func or ''), None)
    return _registered(lambda f: _register(qualname, types, f), func)


def register_kernel(op, device_types, func=None, /, *, lib=None):
    return _registered(lambda f: _register(op, device_types, f), func)


def register_fake(op, func=None, /, *, lib=None, _stacklevel=1, allow_override=False):
    def register(f):
        _operator(op).fake = f
    return _registered(register, func)


def impl_abstract(qualname, func=None, *, lib=None, _stacklevel=1):
    return register_fake(qualname, func)


def register_autograd(op, backward, /, *, setup_context=None, lib=None):
    o = _operator(op)
    o.below, o.backward, o.setup = True, backward, setup_context


def register_autocast(op, device_type, cast_inputs, /, *, lib=None):
    pass


def register_vmap(op, func=None, /, *, lib=None):
    return _registered(_nothing, func)


def register_torch_dispatch(op, torch_dispatch_class, func=None, /, *, lib=None):
    return _registered(_nothing, func)


class _FakeContext:
    """What a fake implementation asks for sizes that only the data know."""

    def new_dynamic_size(self, *, min=0, max=None):
        return _shapecheck.new_size(min)

    create_unbacked_symint = new_dynamic_size


def get_ctx():
    return _FakeContext()


def opcheck(op, args, kwargs=None, **rest):
    return {}
