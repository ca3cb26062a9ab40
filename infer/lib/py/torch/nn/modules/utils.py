# This file holds the small helpers that expand a number to one for each axis.


def _ntuple(n, name='parse'):
    def parse(x):
        return tuple(x) if hasattr(x, '__iter__') else (x,) * n
    return parse


def _single(x):
    return tuple(x) if hasattr(x, '__iter__') else (x,)


def _pair(x):
    return tuple(x) if hasattr(x, '__iter__') else (x, x)


def _triple(x):
    return tuple(x) if hasattr(x, '__iter__') else (x, x, x)


def _quadruple(x):
    return tuple(x) if hasattr(x, '__iter__') else (x, x, x, x)


def _reverse_repeat_tuple(t, n):
    return tuple([x for x in reversed(t) for _ in range(n)])


def _list_with_default(out_size, defaults):
    if isinstance(out_size, int):
        return out_size
    if len(defaults) <= len(out_size):
        raise ValueError(f'Input dimension should be at least {len(out_size) + 1}')
    return [v if v is not None else d for v, d in zip(out_size, defaults[-len(out_size):])]


def consume_prefix_in_state_dict_if_present(state_dict, prefix):
    for key in list(state_dict.keys()):
        if key.startswith(prefix):
            state_dict[key[len(prefix):]] = state_dict.pop(key)


def _wrong_rank(kind, text):
    """An exception about the number of dimensions; it is reported under that code."""
    e = kind(text)
    e.__shapecheck_code__ = 'SC102'
    return e
