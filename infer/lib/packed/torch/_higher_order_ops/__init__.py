# This file is torch._higher_order_ops: control flow as it runs when it is called eagerly.
import torch
import _shapecheck
from torch.utils import _pytree as pytree
from .. import cond
from .associative_scan import associative_scan


def while_loop(cond_fn, body_fn, carried_inputs):
    carried = carried_inputs
    while cond_fn(*carried):
        carried = body_fn(*carried)
    return carried


def scan(combine_fn, init, xs, *, dim=0, reverse=False):
    leaves, spec = pytree.tree_flatten(xs)
    n = leaves[0].size(dim)
    if any([x.size(dim) != n for x in leaves]):
        raise RuntimeError('scan: all leaves of xs must have the same size in the dimension that is gone through')
    carry, steps = init, []
    for i in reversed(range(n)) if reverse else range(n):
        carry, y = combine_fn(carry, pytree.tree_unflatten([x.select(dim, i) for x in leaves], spec))
        steps.append(y)
    if reverse:
        steps.reverse()
    return carry, pytree.tree_map(lambda *ys: torch.stack(ys, dim), *steps)


def map(f, xs, *args):
    leaves, spec = pytree.tree_flatten(xs)
    results = [f(pytree.tree_unflatten([x[i] for x in leaves], spec), *args) for i in range(leaves[0].size(0))]
    return pytree.tree_map(lambda *ys: torch.stack(ys), *results)


# The tensors that a way has: its arguments and the variables of the function around it.
def _given(fn, operands):
    return pytree.tree_flatten([list(operands), list(_shapecheck.closed_over(fn))])[0]


def _aliases(results, given):
    for x in results:
        for g in given:
            if isinstance(x, torch.Tensor) and isinstance(g, torch.Tensor) and (x is g or _shapecheck.is_symbolic(_shapecheck.shares_storage(x, g))):
                return True
    return False


def exported_cond(pred, true_fn, false_fn, operands):
    """torch.cond in a program that is exported: both ways are kept."""
    a, b = true_fn(*operands), false_fn(*operands)
    xs, spec = pytree.tree_flatten(a)
    ys, other = pytree.tree_flatten(b)
    if _aliases(xs, _given(true_fn, operands)) or _aliases(ys, _given(false_fn, operands)):
        _shapecheck.refuse('torch._dynamo.exc.UncapturedHigherOrderOpError', 'SC542', 'torch.cond: a way gives what it was given, or a view of it: .clone() makes another tensor')
    same = len(xs) == len(ys)
    for x, y in zip(xs, ys):
        if isinstance(x, torch.Tensor) and isinstance(y, torch.Tensor):
            same = same and x.dtype == y.dtype and x.dim() == y.dim() and x.shape == y.shape
    if not same:
        _shapecheck.refuse('torch._dynamo.exc.UncapturedHigherOrderOpError', 'SC542', 'torch.cond: the two ways give other types')
    return _shapecheck.join(a, b)
