# This file defines what model code uses of typeguard: decorators and checks that
# change no shape.


class TypeCheckError(Exception):
    pass


def typechecked(target=None, **kwargs):
    if target is None:
        return lambda x: x
    return target


def typeguard_ignore(fn):
    return fn


def check_type(value, expected_type=None, *args, **kwargs):
    return value


class _Hook:
    def __enter__(self):
        return self

    def __exit__(self, *exc):
        return None

    def uninstall(self):
        pass


def install_import_hook(*args, **kwargs):
    return _Hook()


def suppress_type_checks(func=None):
    return _Hook() if func is None else func
