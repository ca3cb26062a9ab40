# Tensors that are there on some paths only.
import torch


def maybe_elif(x):
    z = None
    if x.max() > 2:
        z = x * 2
    elif x.sum() > 0:
        pass
    elif x.min() < -2:
        z = x - 1
    return z, x + 1


def maybe_deep(x):
    z = None
    if x.max() > 0.3:
        if x.sum() > 0:
            if x.min() > 0.4:
                z = x.sum(0)
        else:
            z = x[0]
    return z, x + 1


def maybe_deep_used(x):
    z = None
    if x.max() > 0.3:
        if x.sum() > 0:
            if x.min() > 0.4:
                z = x.sum(0)
        else:
            z = x[0]
    if z is None:
        return x - 1
    return x + z


def maybe_both(x):
    z = None
    if x.max() > 2:
        if x.sum() > 0:
            z = x * 2
    else:
        if x.min() < 0:
            z = x * 3
    return z, x + 1


def maybe_reset(x):
    z = x * 2
    if x.max() > 2:
        if x.sum() > 0:
            z = None
    elif x.sum() < 0:
        z = None
    return z, x + 1


def maybe_two(x):
    y = z = None
    if x.max() > 2:
        y = x * 2
        if x.sum() > 0:
            z = y + 1
    elif x.sum() > 0:
        z = x
    if y is not None and z is not None:
        return y, z, y + z
    return y, z, x


def maybe_dict(x):
    d = {"a": None, "b": x * 1}
    if x.max() > 2:
        if x.sum() > 0:
            d["a"] = x * 3
        d["b"] = None
    return d


def maybe_list(x):
    cache = [None, None]
    if x.sum() > 0:
        cache[0] = x * 2
        if x.max() > 2:
            cache[1] = x * 3
    return cache[0], cache[1], x * 1


def maybe_func(x):
    def f(t):
        if t.max() > 2:
            return t * 2
        if t.sum() > 0:
            return None
        return t - 1
    a = f(x)
    b = f(x * 0.5) if a is not None else None
    return a, b, x * 1


def maybe_loop(x):
    z = None
    for i in range(x.shape[0]):
        if x[i].sum() > 0:
            if x[i].max() > 1:
                z = x[i] * 2
    return z, x + 1


def maybe_loop_none_again(x):
    z = None
    for i in range(x.shape[0]):
        if x[i].sum() > 0:
            z = x[i] * 2
        elif x[i].min() < -1:
            z = None
    return z, x + 1


def maybe_write(x):
    x = x.clone()
    z = None
    if x.max() > 2:
        z = x[0]
    else:
        if x.sum() > 0:
            z = x[-1]
    if z is not None:
        z.add_(1)
    return x, z


def maybe_ranks(x):
    z = None
    if x.max() > 2:
        z = x
    else:
        if x.sum() > 0:
            z = x.sum(0)
    return z, x * 2


def maybe_reset_inside(x):
    z = None
    for r in x:
        z = r + 1
        for s in x:
            z = None
    return z, x + 1


def maybe_reset_by_loop(x):
    z = None
    for r in x:
        z = r + 1
    for s in x:
        z = None
    return z, x + 1


def maybe_reset_after_condition(x):
    z = None
    if x.sum() > 0:
        z = x + 1
    for s in x:
        z = None
    return z, x + 1
