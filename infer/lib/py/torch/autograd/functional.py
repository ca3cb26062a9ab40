# This file is torch.autograd.functional.
import torch


def _pair(func, inputs):
    single = isinstance(inputs, torch.Tensor)
    args = (inputs,) if single else tuple(inputs)
    return func(*args), args, single


def _like(args, single, what):
    return torch._stand_in(args[0], what=what) if single else tuple([torch._stand_in(a, what=what) for a in args])


def jacobian(func, inputs, create_graph=False, strict=False, vectorize=False, strategy='reverse-mode'):
    out, args, single = _pair(func, inputs)
    outs = (out,) if isinstance(out, torch.Tensor) else out
    rows = [[torch._stand_in(torch.zeros(*o.shape, *a.shape, dtype=a.dtype), what='torch.autograd.functional.jacobian') for a in args] for o in outs]
    rows = [r[0] if single else tuple(r) for r in rows]
    return rows[0] if isinstance(out, torch.Tensor) else tuple(rows)


def hessian(func, inputs, create_graph=False, strict=False, vectorize=False, outer_jacobian_strategy='reverse-mode'):
    out, args, single = _pair(func, inputs)
    rows = [tuple([torch._stand_in(torch.zeros(*a.shape, *b.shape, dtype=b.dtype), what='torch.autograd.functional.hessian') for b in args]) for a in args]
    return rows[0][0] if single else tuple(rows)


def vjp(func, inputs, v=None, create_graph=False, strict=False):
    out, args, single = _pair(func, inputs)
    return out, _like(args, single, 'torch.autograd.functional.vjp')


def jvp(func, inputs, v=None, create_graph=False, strict=False):
    out, args, single = _pair(func, inputs)
    return out, torch._stand_in(out, what='torch.autograd.functional.jvp')


def hvp(func, inputs, v=None, create_graph=False, strict=False):
    return vjp(func, inputs)


vhp = hvp
