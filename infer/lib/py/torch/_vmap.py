# This file defines vmap: the function is run on one slice, and its results get
# the mapped axis back; elements are those of that slice, so they are not shown.
import torch


def _axes(in_dims, args):
    return in_dims if isinstance(in_dims, (tuple, list)) else [in_dims] * len(args)


def _first(x, dim):
    if dim is None:
        return x
    if isinstance(x, torch.Tensor):
        return x.select(dim, 0)
    if isinstance(x, dict):
        return {k: _first(v, dim[k] if isinstance(dim, dict) else dim) for k, v in x.items()}
    if isinstance(x, (tuple, list)):
        return type(x)([_first(v, dim[i] if isinstance(dim, (tuple, list)) else dim) for i, v in enumerate(x)])
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


def vmap(func, in_dims=0, out_dims=0):
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
        out = func(*[_first(a, d) for a, d in zip(args, axes)], **{k: _first(v, 0) for k, v in kwargs.items()})
        return _grow(out, out_dims, n)
    return mapped
