# This file reads keyword arguments.


def check_unexpected_kwargs(kwargs, **unexpected):
    for name, message in unexpected.items():
        if name in kwargs:
            raise ValueError(message)


def parse_kwargs(kwargs, *name_and_values, **unexpected):
    values = [kwargs.pop(name, default) for name, default in name_and_values]
    if kwargs:
        check_unexpected_kwargs(kwargs, **unexpected)
        raise TypeError("got unexpected keyword argument(s) '%s'" % "', '".join(sorted(kwargs)))
    return tuple(values)


def assert_kwargs_empty(kwargs):
    if kwargs:
        raise TypeError("got unexpected keyword argument(s) '%s'" % "', '".join(sorted(kwargs)))
