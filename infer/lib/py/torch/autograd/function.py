# This file defines autograd.Function: apply runs forward, and backward passes run backward.
import _shapecheck
import torch
from .._grad_mode import no_grad


class FunctionCtx:
    saved_tensors = ()
    needs_input_grad = ()
    materialize_grads = True
    non_differentiable = ()

    def save_for_backward(self, *tensors):
        self.saved_tensors = tensors
        self.saved_variables = tensors
        self.to_save = tensors

    def save_for_forward(self, *tensors):
        pass

    def mark_dirty(self, *args):
        self.dirty_tensors = args

    def mark_non_differentiable(self, *args):
        self.non_differentiable = args

    def set_materialize_grads(self, value):
        self.materialize_grads = value


class Function(FunctionCtx):
    @staticmethod
    def forward(ctx, *args, **kwargs):
        raise NotImplementedError('You must implement the forward function for custom autograd.Function.')

    @staticmethod
    def setup_context(ctx, inputs, output):
        raise NotImplementedError('setup_context is not implemented.')

    @staticmethod
    def backward(ctx, *grad_outputs):
        raise NotImplementedError('You must implement either the backward or vjp method')

    vjp = backward

    @classmethod
    def apply(cls, *args, **kwargs):
        ctx = cls._new_ctx()
        ctx.needs_input_grad = tuple([getattr(a, 'requires_grad', False) for a in args])
        with no_grad():
            if cls.setup_context is not Function.setup_context:
                out = cls.forward(*args, **kwargs)
                cls.setup_context(ctx, args, out)
            else:
                out = cls.forward(ctx, *args, **kwargs)
            out = _apart(ctx, args, out)
        results = out if isinstance(out, tuple) else (out,)
        made = [r for r in results if isinstance(r, torch.Tensor) and not _is_one_of(r, ctx.non_differentiable)]

        def run():
            grads = [torch._stand_in(r, what='backward') if isinstance(r, torch.Tensor) else None for r in results]
            if not ctx.materialize_grads and len(grads) > 1:
                grads = [_shapecheck.unknown('which results of a function have a gradient is not known') for _ in grads]
            with no_grad():
                given = cls._of_gradients(ctx, *grads)
            return given if isinstance(given, tuple) else (given,)

        _shapecheck.function_call(made, args, run)
        return out

    @classmethod
    def _new_ctx(cls):
        return FunctionCtx()

    @classmethod
    def _of_gradients(cls, ctx, *grads):
        if cls.vjp is not Function.vjp:
            return cls.vjp(ctx, *grads)
        return cls.backward(ctx, *grads)


def _is_one_of(x, tensors):
    return any([x is t for t in tensors])


def _apart(ctx, args, out):
    """Gives results that are arguments as views of their own."""
    dirty = getattr(ctx, 'dirty_tensors', ())

    def apart(x):
        if isinstance(x, torch.Tensor) and _is_one_of(x, args) and not _is_one_of(x, dirty):
            return x.view_as(x)
        return x

    if isinstance(out, tuple) and type(out) is tuple:
        return tuple([apart(x) for x in out])
    return apart(out)


class InplaceFunction(Function):
    pass


class NestedIOFunction(Function):
    pass


def once_differentiable(fn):
    return fn
