# What differs between two calls of a traced function, for the preludes of jax and tensorflow.
# An outline of an argument is ('leaf', dtype, shape, label, what else matters), ('seq', class,
# outlines), ('map', keys, outlines) or ('py', class, value). A shape of None: of any rank.


_SHORT = {'float64': 'f64', 'float32': 'f32', 'float16': 'f16', 'bfloat16': 'bf16', 'int64': 'i64', 'int32': 'i32', 'int16': 'i16', 'int8': 'i8',
          'uint64': 'u64', 'uint32': 'u32', 'uint16': 'u16', 'uint8': 'u8', 'string': 'str', 'complex64': 'c64', 'complex128': 'c128'}


def _shown(o):
    """An outline in words; None where it has none that are short."""
    if o[0] == 'leaf':
        dims = '...' if o[2] is None else ','.join(['?' if d is None else str(d) for d in o[2]])
        return _SHORT.get(o[1], o[1]) + '[' + dims + ']'
    if o[0] == 'py':
        return o[2] if isinstance(o[2], str) else o[1] if isinstance(o[1], str) else None
    return None


def told(path, what, now, old):
    """A difference as 'PATH: what', with what is now and what was behind a tab each, where both are known."""
    return path + ': ' + what + ('' if now is None or old is None else '\t' + now + '\t' + old)


def differences(a, b, path):
    """What differs between two outlines, of before and of now: see told."""
    def differs(what):
        return told(path, what, _shown(b), _shown(a))

    if a[0] != b[0]:
        return [differs('type')]
    if a[0] == 'leaf':
        out = []
        if a[1] != b[1]:
            out.append(differs('dtype'))
        if a[2] != b[2]:
            out.append(differs('rank' if a[2] is None or b[2] is None or len(a[2]) != len(b[2]) else 'shape'))
        if a[4] != b[4]:
            out.append(path + ': ' + a[3])
        return out
    if a[0] == 'py':
        if a[1] != b[1]:
            return [differs('type')]
        return [] if a[2] == b[2] else [differs('value')]
    if a[0] == 'seq':
        if a[1] != b[1]:
            return [path + ': type']
        if len(a[2]) != len(b[2]):
            return [path + ': structure']
        out = []
        for i in range(len(a[2])):
            out += differences(a[2][i], b[2][i], path + '[' + str(i) + ']')
        return out
    if a[1] != b[1]:
        return [path + ': structure']
    out = []
    for k, x, y in zip(a[1], a[2], b[2]):
        out += differences(x, y, path + '.' + str(k))
    return out


def nearest(earlier, now):
    """The fewest differences of the arguments of a call, a dict of outlines, to those of an earlier one."""
    best = None
    for old in earlier:
        if sorted(old) != sorted(now):
            d = [': structure']
        else:
            d = []
            for k in now:
                d += differences(old[k], now[k], k)
        if best is None or len(d) < len(best):
            best = d
    return best
