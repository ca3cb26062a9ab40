# This file is torch.autograd. Gradients are tensors like what they belong to;
# backward passes run hooks alone.
import _shapecheck
import torch
from .._grad_mode import enable_grad, inference_mode, no_grad, set_grad_enabled
from . import forward_ad, function, functional, grad_mode, profiler
from .function import Function

__all__ = ['Variable', 'Function', 'backward', 'grad']


def Variable(data, requires_grad=False, volatile=False):
    return data


def backward(tensors, grad_tensors=None, retain_graph=None, create_graph=False, grad_variables=None, inputs=None):
    if isinstance(tensors, torch.Tensor):
        tensors, grad_tensors = (tensors,), (grad_tensors,)
    tensors = tuple(tensors)
    for t, g in zip(tensors, grad_tensors or [None] * len(tensors)):
        t.backward(g, True if len(tensors) > 1 else retain_graph, create_graph)


def grad(outputs, inputs, grad_outputs=None, retain_graph=None, create_graph=False, only_inputs=True,
         allow_unused=None, is_grads_batched=False, materialize_grads=False):
    if isinstance(inputs, torch.Tensor):
        inputs = (inputs,)
    if isinstance(outputs, torch.Tensor):
        outputs = (outputs,)
    for i, t in enumerate(outputs):
        if _shapecheck.certainly_without_grad(t):
            raise _no_graph(f'element {i} of tensors does not require grad and does not have a grad_fn')
    for t in inputs:
        if _shapecheck.certainly_without_grad(t):
            raise _no_graph('One of the differentiated Tensors does not require grad')
    if is_grads_batched:
        size = _batch_of(outputs, grad_outputs)
        grads = tuple([torch._stand_in(torch.zeros((size,) + tuple(x.shape), dtype=x.dtype, device=x.device), what='torch.autograd.grad')
                       for x in inputs])
    else:
        grads = tuple([torch._stand_in(x, what='torch.autograd.grad') for x in inputs])
    _shapecheck.is_gradient(grads, outputs, bool(create_graph))
    _shapecheck.pass_back(outputs, inputs, bool(retain_graph or create_graph))
    return grads


def _batch_of(outputs, grad_outputs):
    """The size of the leading axis of batched gradients."""
    if isinstance(grad_outputs, torch.Tensor):
        grad_outputs = (grad_outputs,)
    for out, g in zip(outputs, grad_outputs or ()):
        if isinstance(g, torch.Tensor):
            if tuple(g.shape[1:]) != tuple(out.shape):
                raise RuntimeError(f'If `is_grads_batched=True`, we interpret the first dimension of each grad_output as the batch '
                                   f'dimension. Mismatch in shape: {g.shape} and {out.shape}.')
            return g.shape[0]
    return _shapecheck.unknown('how many gradients are computed at once')


def _no_graph(text):
    """An exception about what has no graph; it is reported under that code."""
    e = RuntimeError(text)
    e.__shapecheck_code__ = 'SC308'
    return e


class detect_anomaly:
    def __init__(self, check_nan=True):
        pass

    def __enter__(self):
        pass

    def __exit__(self, *args):
        pass


class set_detect_anomaly(detect_anomaly):
    def __init__(self, mode, check_nan=True):
        pass


def gradcheck(func, inputs, **kwargs):
    return True


def gradgradcheck(func, inputs, grad_outputs=None, **kwargs):
    return True
