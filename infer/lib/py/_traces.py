# What differs between two calls of a traced function, for the preludes of jax and tensorflow.
# An outline of an argument is ('leaf', dtype, shape, label, what else matters), ('seq', class,
# outlines), ('map', keys, outlines) or ('py', class, value). A shape of None: of any rank.


def differences(a, b, path):
    """What differs between two outlines, as 'PATH: what'."""
    if a[0] != b[0]:
        return [path + ': type']
    if a[0] == 'leaf':
        out = []
        if a[1] != b[1]:
            out.append(path + ': dtype')
        if a[2] != b[2]:
            out.append(path + (': rank' if a[2] is None or b[2] is None or len(a[2]) != len(b[2]) else ': shape'))
        if a[4] != b[4]:
            out.append(path + ': ' + a[3])
        return out
    if a[0] == 'py':
        if a[1] != b[1]:
            return [path + ': type']
        return [] if a[2] == b[2] else [path + ': value']
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
