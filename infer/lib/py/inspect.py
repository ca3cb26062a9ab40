# The Python part of inspect. _parameters, _annotated, _unbind and the is… tests are native.
# Nothing is known of what is not known: the functions give it back.
import sys
import _shapecheck

class _empty:
    pass


class _ParameterKind(int):
    def __repr__(self):
        return self.name

    def __str__(self):
        return self.name


def _kinds():
    out = []
    names = ('POSITIONAL_ONLY', 'POSITIONAL_OR_KEYWORD', 'VAR_POSITIONAL', 'KEYWORD_ONLY', 'VAR_KEYWORD')
    for i, name in enumerate(names):
        k = _ParameterKind(i)
        k.name = name
        k.description = ('positional-only', 'positional or keyword', 'variadic positional', 'keyword-only', 'variadic keyword')[i]
        out.append(k)
    return out


_KINDS = _kinds()


class Parameter:
    empty = _empty
    POSITIONAL_ONLY, POSITIONAL_OR_KEYWORD, VAR_POSITIONAL, KEYWORD_ONLY, VAR_KEYWORD = _KINDS

    def __init__(self, name, kind, *, default=_empty, annotation=_empty):
        self.name = name
        self.kind = kind
        self.default = default
        self.annotation = annotation

    def replace(self, *, name=_empty, kind=_empty, annotation=_empty, default=_empty):
        return Parameter(self.name if name is _empty else name, self.kind if kind is _empty else kind,
                         default=self.default if default is _empty else default,
                         annotation=self.annotation if annotation is _empty else annotation)

    def __repr__(self):
        return f'<Parameter "{self.name}">'


class BoundArguments:
    def __init__(self, signature, arguments):
        self.signature = signature
        self.arguments = arguments

    @property
    def args(self):
        out = []
        for name, p in self.signature.parameters.items():
            if p.kind == 2:
                out.extend(self.arguments.get(name, ()))
            elif p.kind < 2:
                if name not in self.arguments:
                    break
                out.append(self.arguments[name])
        return tuple(out)

    @property
    def kwargs(self):
        out = {}
        skipped = False
        for name, p in self.signature.parameters.items():
            if p.kind == 4:
                out.update(self.arguments.get(name, {}))
            elif name not in self.arguments:
                skipped = skipped or p.kind < 2
            elif p.kind == 3 or skipped and p.kind == 1:
                out[name] = self.arguments[name]
        return out

    def apply_defaults(self):
        arguments = {}
        for name, p in self.signature.parameters.items():
            if name in self.arguments:
                arguments[name] = self.arguments[name]
            elif p.default is not _empty:
                arguments[name] = p.default
            elif p.kind == 2:
                arguments[name] = ()
            elif p.kind == 4:
                arguments[name] = {}
        self.arguments = arguments


class Signature:
    empty = _empty

    def __init__(self, parameters=None, *, return_annotation=_empty):
        self.parameters = {p.name: p for p in parameters or ()}
        self.return_annotation = return_annotation

    @classmethod
    def from_callable(cls, obj, **kw):
        return signature(obj)

    def replace(self, *, parameters=_empty, return_annotation=_empty):
        return Signature(self.parameters.values() if parameters is _empty else parameters,
                         return_annotation=self.return_annotation if return_annotation is _empty else return_annotation)

    def bind(self, /, *args, **kwargs):
        return self._bind(args, kwargs, False)

    def bind_partial(self, /, *args, **kwargs):
        return self._bind(args, kwargs, True)

    def _bind(self, args, kwargs, partial):
        arguments = {}
        args = list(args)
        kwargs = dict(kwargs)
        for name, p in self.parameters.items():
            if p.kind == 2:
                if args:
                    arguments[name] = tuple(args)
                    args = []
            elif p.kind == 4:
                if kwargs:
                    arguments[name] = kwargs
                    kwargs = {}
            elif p.kind < 2 and args:
                if name in kwargs and p.kind == 1:
                    raise TypeError(f'multiple values for argument {name!r}')
                arguments[name] = args.pop(0)
            elif p.kind != 0 and name in kwargs:
                arguments[name] = kwargs.pop(name)
            elif p.default is _empty and not partial:
                raise TypeError(f'missing a required argument: {name!r}')
        if args:
            raise TypeError('too many positional arguments')
        if kwargs:
            raise TypeError(f'got an unexpected keyword argument {next(iter(kwargs))!r}')
        return BoundArguments(self, arguments)


def unwrap(func, *, stop=None):
    if _shapecheck.is_unknown(func):
        return func
    while hasattr(func, '__wrapped__'):
        if stop is not None and stop(func):
            break
        func = func.__wrapped__
    return func


def signature(obj, *, follow_wrapped=True, globals=None, locals=None, eval_str=False):
    if _shapecheck.is_unknown(obj):
        return obj
    if _shapecheck.is_one_of_many(obj):
        return _shapecheck.unknown('the signature of one of many functions')
    if isclass(obj):
        made = getattr(obj, '__signature__', None)
        if isinstance(made, Signature):
            return made
        fields = obj.__dict__.get('__dataclass_fields__')
        if fields is not None and not isfunction(obj.__init__):
            params = []
            for f in fields.values():
                if f._field_type != 'class' and f.init:
                    default = f.default
                    if type(default).__name__ == '_MISSING_TYPE':
                        default = f.default_factory if type(f.default_factory).__name__ != '_MISSING_TYPE' else _empty
                    params.append(Parameter(f.name, _KINDS[3 if f.kw_only else 1], default=default, annotation=f.type))
            return Signature(params)
        return _drop_first(signature(obj.__init__))
    bound = _unbind(obj)
    if bound is not None:
        return _drop_first(signature(bound[0]))
    if follow_wrapped:
        obj = unwrap(obj, stop=lambda f: hasattr(f, '__signature__'))
    made = getattr(obj, '__signature__', None)
    if isinstance(made, Signature):
        return made
    listed = _parameters(obj, _empty)
    if _shapecheck.is_unknown(listed):
        return listed
    if obj is object.__init__:
        listed = [('self', 0, _empty), ('args', 2, _empty), ('kwargs', 4, _empty)]
    if listed is None:
        inner = getattr(obj, 'func', None)
        if inner is not None and hasattr(obj, 'keywords'):
            sig = signature(inner)
            params = list(sig.parameters.values())
            for _ in obj.args:
                if params and params[0].kind < 2:
                    del params[0]
            return Signature([p.replace(default=obj.keywords[p.name]) if p.name in obj.keywords else p for p in params])
        call = getattr(type(obj), '__call__', None)
        if call is not None and not isbuiltin(call) and _parameters(call, _empty) is not None:
            return _drop_first(signature(call))
        raise ValueError(f'no signature found for builtin {obj!r}')
    if not _annotated(obj):
        return _LibrarySignature([_LibraryParameter(n, _KINDS[k], default=d) for n, k, d in listed])
    annotations = getattr(obj, '__annotations__', {})
    return Signature([Parameter(n, _KINDS[k], default=d, annotation=annotations.get(n, _empty)) for n, k, d in listed],
                     return_annotation=annotations.get('return', _empty))


# Of a function of a library whose annotations are not known.
class _LibraryParameter(Parameter):
    @property
    def annotation(self):
        return _shapecheck.unknown('an annotation of a library')

    @annotation.setter
    def annotation(self, value):
        pass

    def replace(self, *, name=_empty, kind=_empty, annotation=_empty, default=_empty):
        return (_LibraryParameter if annotation is _empty else Parameter)(
            self.name if name is _empty else name, self.kind if kind is _empty else kind,
            default=self.default if default is _empty else default, annotation=annotation)


class _LibrarySignature(Signature):
    @property
    def return_annotation(self):
        return _shapecheck.unknown('an annotation of a library')

    @return_annotation.setter
    def return_annotation(self, value):
        pass


def _drop_first(sig):
    params = list(sig.parameters.values())
    if params and params[0].kind < 2:
        params = params[1:]
    if isinstance(sig, _LibrarySignature):
        return _LibrarySignature(params)
    return Signature(params, return_annotation=sig.return_annotation)


class FullArgSpec:
    def __init__(self, args, varargs, varkw, defaults, kwonlyargs, kwonlydefaults, annotations):
        self.args = args
        self.varargs = varargs
        self.varkw = varkw
        self.keywords = varkw
        self.defaults = defaults
        self.kwonlyargs = kwonlyargs
        self.kwonlydefaults = kwonlydefaults
        self.annotations = annotations

    def __iter__(self):
        return iter((self.args, self.varargs, self.varkw, self.defaults, self.kwonlyargs, self.kwonlydefaults, self.annotations))

    def __getitem__(self, i):
        return tuple(self)[i]


class _LibraryArgSpec(FullArgSpec):
    @property
    def annotations(self):
        return _shapecheck.unknown('an annotation of a library')

    @annotations.setter
    def annotations(self, value):
        pass


def getfullargspec(func):
    if _shapecheck.is_unknown(func):
        return func
    if isclass(func):
        func = func.__init__
    bound = _unbind(func)
    if bound is not None:
        func = bound[0]
    params = _parameters(func, _empty)
    if _shapecheck.is_unknown(params):
        return params
    if params is None:
        raise TypeError('unsupported callable')
    args = [n for n, k, d in params if k < 2]
    defaults = tuple([d for n, k, d in params if k < 2 and d is not _empty])
    star = [n for n, k, d in params if k == 2]
    dstar = [n for n, k, d in params if k == 4]
    return (FullArgSpec if _annotated(func) else _LibraryArgSpec)(args, star[0] if star else None, dstar[0] if dstar else None, defaults or None,
                       [n for n, k, d in params if k == 3],
                       {n: d for n, k, d in params if k == 3 and d is not _empty} or None,
                       getattr(func, '__annotations__', {}) if _annotated(func) else {})


getargspec = getfullargspec


def getmembers(object, predicate=None):
    if _shapecheck.is_unknown(object):
        return object
    out = []
    for name in sorted(dir(object)):
        try:
            value = getattr(object, name)
        except AttributeError:
            continue
        if predicate is None or predicate(value):
            out.append((name, value))
    return out


def getmro(cls):
    return cls.__mro__


def getdoc(object):
    return getattr(object, '__doc__', None)


def cleandoc(doc):
    return doc.strip()


def get_annotations(obj, **kw):
    return dict(getattr(obj, '__annotations__', {}))


def isdescriptor(object):
    return hasattr(type(object), '__get__')


def getattr_static(obj, attr, *default):
    for c in (obj.__mro__ if isclass(obj) else type(obj).__mro__):
        if attr in c.__dict__:
            return c.__dict__[attr]
    return getattr(obj, attr, *default)


def getmodule(object, _filename=None):
    if _shapecheck.is_unknown(object) or ismodule(object):
        return object
    return sys.modules.get(getattr(object, '__module__', None))


def getfile(object):
    if _shapecheck.is_unknown(object):
        return object
    if isfunction(object) or ismethod(object):
        return object.__code__.co_filename
    module = getmodule(object)
    file = getattr(module, '__file__', None)
    if file is None:
        raise TypeError(f'{object!r} is a built-in module, class or function')
    return file


getsourcefile = getabsfile = getfile
