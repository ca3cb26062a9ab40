# This file has backward passes run the hooks of tensors and modules. Gradients are stand-ins of the type of what
# they belong to.
import _shapecheck
import torch
from collections import OrderedDict
from .._grad_mode import no_grad
from ..utils.hooks import RemovableHandle


def gradient(t):
    return torch._stand_in(t, what='backward')


def _may_run(sure):
    return sure or _shapecheck.unknown('whether a gradient arrives here is not known')


def _table(t, name):
    table = t.__dict__.get(name)
    if table is None:
        table = OrderedDict()
        setattr(t, name, table)
    return table


def _add(t, name, hook, accumulates, run):
    table = _table(t, name)
    if len(table) == 0:
        _shapecheck.hook_gradient(t, accumulates, run)
    handle = RemovableHandle(table)
    table[handle.id] = hook
    return handle


def register_hook(self, hook):
    """Has the hook called with the gradient of the tensor."""
    if _shapecheck.certainly_without_grad(self):
        raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")

    def run(sure):
        table = self.__dict__.get('_backward_hooks')
        if table and _may_run(sure):
            with no_grad():
                grad = gradient(self)
                for call in list(table.values()):
                    given = call(grad)
                    if given is None:
                        continue
                    if not isinstance(given, torch.Tensor):
                        raise TypeError(f"expected Variable, but hook returned '{torch.typename(given)}'")
                    if given.shape != grad.shape:
                        raise RuntimeError(f"hook '{call.__name__}' has changed the size of value")
                    grad = given

    return _add(self, '_backward_hooks', hook, False, run)


def register_post_accumulate_grad_hook(self, hook):
    """Has the hook called with the tensor once its gradient is in the attribute grad."""
    if _shapecheck.certainly_without_grad(self):
        raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
    leaf = self.is_leaf
    if not _shapecheck.is_symbolic(leaf) and not leaf:
        raise RuntimeError('post accumulate grad hooks cannot be registered on non-leaf tensors')

    def run(sure):
        table = self.__dict__.get('_post_accumulate_grad_hooks')
        if table and _may_run(sure):
            with no_grad():
                for call in list(table.values()):
                    call(self)

    return _add(self, '_post_accumulate_grad_hooks', hook, True, run)


def _tensors(values):
    return [v for v in values if isinstance(v, torch.Tensor)]


def _gradients(values):
    return tuple([gradient(v) if isinstance(v, torch.Tensor) and v.requires_grad else None for v in values])


def _call(hook, *args):
    with no_grad():
        return hook(*args)


def module_hooks(module, before, full, others, args, out, begin):
    """Has the hooks of a module called when gradients come to its results: those before that of the module, full ones, and
    others, which see the gradients of the last operation."""
    results = out
    while isinstance(results, dict):
        results = tuple(results.values())
    if isinstance(results, torch.Tensor):
        results = (results,)
    results = tuple(_tensors(results)) if isinstance(results, (tuple, list)) else ()
    if not results or not torch.is_grad_enabled():
        return
    of_inputs = any([v.requires_grad for v in _tensors(args)])
    changed = []

    def run_before(sure):
        if _may_run(sure):
            grads = _gradients(results)
            for hook in before:
                given = _call(hook, module, grads)
                if given is not None:
                    grads = given if isinstance(given, tuple) else (given,)
            changed[:] = [grads]

    def run(sure):
        if _may_run(sure):
            of_results = changed.pop() if changed else _gradients(results)
            grads = _gradients(args)
            for hook in full:
                given = _call(hook, module, grads, of_results)
                if given is not None:
                    grads = given if isinstance(given, tuple) else (given,)

    def run_others(sure):
        if _may_run(sure):
            for hook in others:
                _call(hook, module, _shapecheck.unknown('the gradients of the last operation of a module'), _gradients(results))

    after = _shapecheck.moment()
    if full:
        _shapecheck.hook_results(results, begin if of_inputs else after, run)
    if others:
        _shapecheck.hook_results(results, after, run_others)
    if before:
        _shapecheck.hook_results(results, _shapecheck.moment(), run_before)
