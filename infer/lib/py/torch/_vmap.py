# This file defines vmap: the function is run on one slice, and its results get
# the mapped axis back; elements are those of that slice, so they are not shown.
# In an export, which needs the elements, it is run on each slice.
import torch
import _shapecheck

_most = 4096  # runs of the innermost function that an export writes
_runs = [1]   # how often the vmaps around this one run it
_depth = [0]  # of the transforms that run


def transformed(func, /, *args, **kwargs):
    """The call of a function that a transform of torch.func makes."""
    _depth[0] += 1
    try:
        return func(*args, **kwargs)
    finally:
        _depth[0] -= 1


def is_transforming():
    return _depth[0] > 0


def _axes(in_dims, args):
    return in_dims if isinstance(in_dims, (tuple, list)) else [in_dims] * len(args)


def _slice(x, dim, at):
    if dim is None:
        return x
    if isinstance(x, torch.Tensor):
        return x.select(dim, at)
    if isinstance(x, dict):
        return {k: _slice(v, dim[k] if isinstance(dim, dict) else dim, at) for k, v in x.items()}
    if isinstance(x, (tuple, list)):
        return type(x)([_slice(v, dim[i] if isinstance(dim, (tuple, list)) else dim, at) for i, v in enumerate(x)])
    return x


def _size(x, dim):
    if dim is None:
        return None
    if isinstance(x, torch.Tensor):
        return x.size(dim)
    items = x.items() if isinstance(x, dict) else enumerate(x) if isinstance(x, (tuple, list)) else ()
    for k, v in items:
        n = _size(v, dim[k] if isinstance(dim, (tuple, list, dict)) else dim)
        if n is not None:
            return n
    return None


def _grow(x, dim, n):
    if isinstance(x, torch.Tensor):
        if dim is None:
            return x
        y = x.unsqueeze(dim)
        shape = list(y.shape)
        shape[dim] = n
        return torch._stand_in(y.expand(shape), what='torch.vmap')
    if isinstance(x, dict):
        return {k: _grow(v, dim, n) for k, v in x.items()}
    if isinstance(x, (tuple, list)):
        return type(x)([_grow(v, dim[i] if isinstance(dim, (tuple, list)) else dim, n) for i, v in enumerate(x)])
    return x


def _joined(outs, dim):
    x = outs[0]
    if isinstance(x, torch.Tensor):
        return x if dim is None else torch.stack(outs, dim)
    if isinstance(x, dict):
        return {k: _joined([o[k] for o in outs], dim) for k in x}
    if isinstance(x, (tuple, list)):
        return type(x)([_joined([o[i] for o in outs], dim[i] if isinstance(dim, (tuple, list)) else dim) for i in range(len(x))])
    return x


def _each(func, n, runs):
    _runs.append(runs)
    try:
        return [func(i) for i in range(n)]
    finally:
        _runs.pop()


def vmap(func, in_dims=0, out_dims=0, randomness='error', *, chunk_size=None):
    def mapped(*args, **kwargs):
        axes = _axes(in_dims, args)
        n = None
        for a, d in zip(args, axes):
            k = _size(a, d)
            if n is None:
                n = k
            elif k is not None and k != n:
                raise ValueError(f'vmap: Expected all tensors to have the same size in the mapped dimension, got sizes {[n, k]} for the mapped dimension')
        for v in kwargs.values():
            k = _size(v, 0)
            n = k if n is None else n
        if n is None:
            raise ValueError('vmap: at least one input must have a mapped dimension')

        def run(i):
            return transformed(func, *[_slice(a, d, i) for a, d in zip(args, axes)], **{k: _slice(v, 0, i) for k, v in kwargs.items()})
        if torch.compiler.is_exporting() and randomness != 'same' and not _shapecheck.is_symbolic(n) and not _shapecheck.is_unknown(n) and 0 < n <= _most // _runs[-1]:
            return _joined(_each(run, n, _runs[-1] * n), out_dims)
        return _grow(run(0), out_dims, n)
    return mapped
