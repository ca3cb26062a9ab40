# The module huggingface_hub.dataclasses: dataclasses whose values are checked when they
# are set. The types of fields are not compared with their annotations; their own checks
# and those of the class are made.
import functools
from dataclasses import MISSING, field, fields
from .errors import StrictDataclassClassValidationError, StrictDataclassFieldValidationError


def _checks_of(f):
    checks = f.metadata.get('validator')
    if checks is None:
        return []
    return checks if isinstance(checks, list) else [checks]


def _with_kwargs(cls):
    def __init__(self, *args, **kwargs):
        if args:
            raise ValueError(f'{cls.__name__} takes arguments by name alone')
        names = set()
        for f in fields(cls):
            names.add(f.name)
            if f.name in kwargs:
                setattr(self, f.name, kwargs[f.name])
            elif f.default is not MISSING:
                setattr(self, f.name, f.default)
            elif f.default_factory is not MISSING:
                setattr(self, f.name, f.default_factory())
            else:
                raise TypeError(f'Missing required field - {f.name!r}')
        self.__post_init__(**{k: v for k, v in kwargs.items() if k not in names})

    def __post_init__(self, **kwargs):
        for name, value in kwargs.items():
            setattr(self, name, value)
    cls.__init__ = functools.wraps(cls.__init__)(__init__)
    if not hasattr(cls, '__post_init__'):
        cls.__post_init__ = __post_init__


def strict(cls=None, *, accept_kwargs=None):
    def wrap(cls):
        checks = {f.name: _checks_of(f) for f in fields(cls)}
        checks = {name: list for name, list in checks.items() if list}
        cls.__validators__ = checks
        if checks:
            before = cls.__setattr__

            def __setattr__(self, name, value):
                for check in checks.get(name, ()):
                    try:
                        check(value)
                    except (ValueError, TypeError) as e:
                        raise StrictDataclassFieldValidationError(field=name, cause=e) from e
                before(self, name, value)
            cls.__setattr__ = __setattr__
        if accept_kwargs:
            _with_kwargs(cls)
        found = [getattr(cls, name) for name in dir(cls) if name.startswith('validate_')]
        cls.__class_validators__ = found

        def validate(self):
            for check in found:
                try:
                    check(self)
                except (ValueError, TypeError) as e:
                    raise StrictDataclassClassValidationError(validator=check.__name__, cause=e) from e
        validate.__is_defined_by_strict_decorator__ = True
        cls.validate = validate
        init = cls.__init__

        def __init__(self, *args, **kwargs):
            init(self, *args, **kwargs)
            cls.validate(self)
        cls.__init__ = functools.wraps(init)(__init__)
        return cls
    return wrap if cls is None else wrap(cls)


def validated_field(validator, default=MISSING, default_factory=MISSING, init=True, repr=True, hash=None, compare=True, metadata=None, **kwargs):
    metadata = dict(metadata or {})
    metadata['validator'] = validator if isinstance(validator, list) else [validator]
    return field(default=default, default_factory=default_factory, init=init, repr=repr, hash=hash, compare=compare, metadata=metadata, **kwargs)


def as_validated_field(validator):
    def made(*args, **kwargs):
        return validated_field(validator, *args, **kwargs)
    return made


def validate_typed_dict(schema, data):
    pass
