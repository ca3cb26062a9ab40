# tf.nest.
from ._function import flat, structure


def flatten(x, expand_composites=False):
    if isinstance(x, dict):
        out = []
        for k in sorted(x):
            out += flatten(x[k])
        return out
    if isinstance(x, (list, tuple)):
        out = []
        for v in x:
            out += flatten(v)
        return out
    return [x]


def map_structure(func, *structures, **kw):
    first = structures[0]
    if isinstance(first, dict):
        return {k: map_structure(func, *[s[k] for s in structures]) for k in first}
    if isinstance(first, (list, tuple)):
        parts = [map_structure(func, *vs) for vs in zip(*structures)]
        return type(first)(*parts) if hasattr(first, '_fields') else type(first)(parts)
    return func(*structures)


def pack_sequence_as(structure_, flat_sequence, expand_composites=False):
    it = iter(flat_sequence)

    def one(s):
        if isinstance(s, dict):
            made = {k: one(s[k]) for k in sorted(s)}
            return {k: made[k] for k in s}
        if isinstance(s, (list, tuple)):
            parts = [one(v) for v in s]
            return type(s)(*parts) if hasattr(s, '_fields') else type(s)(parts)
        return next(it)
    return one(structure_)


def is_nested(x):
    return isinstance(x, (list, tuple, dict))


def assert_same_structure(a, b, *args, **kw):
    pass
