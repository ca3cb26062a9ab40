# This file is torch.func: derivatives have the shapes that their inputs and
# outputs give them; values are not computed.
import torch
from .._vmap import transformed, vmap
from ..nn.utils.stateless import functional_call


def _zeros(x, what):
    if isinstance(x, torch.Tensor):
        return torch._stand_in(x, what=what)
    if isinstance(x, dict):
        return {k: _zeros(v, what) for k, v in x.items()}
    if isinstance(x, (tuple, list)):
        return type(x)([_zeros(v, what) for v in x])
    return x


def _picked(args, argnums, what):
    return _zeros(args[argnums], what) if isinstance(argnums, int) else tuple([_zeros(args[i], what) for i in argnums])


def grad(func, argnums=0, has_aux=False):
    def wrapper(*args, **kwargs):
        out = transformed(func, *args, **kwargs)
        g = _picked(args, argnums, 'torch.func.grad')
        return (g, out[1]) if has_aux else g
    return wrapper


def grad_and_value(func, argnums=0, has_aux=False):
    def wrapper(*args, **kwargs):
        out = transformed(func, *args, **kwargs)
        return _picked(args, argnums, 'torch.func.grad_and_value'), out
    return wrapper


def vjp(func, *primals, has_aux=False):
    out = transformed(func, *primals)
    g = _zeros(primals, 'torch.func.vjp')
    return out, lambda *cotangents: g


def jvp(func, primals, tangents, *, strict=False, has_aux=False):
    out = transformed(func, *primals)
    return out, _zeros(out, 'torch.func.jvp')


def _jacobian(out, x, what):
    """The derivative of a tensor by a tensor, for each tensor of out."""
    if isinstance(out, torch.Tensor):
        if isinstance(x, torch.Tensor):
            return torch._stand_in(torch.zeros(*out.shape, *x.shape, dtype=x.dtype), what=what)
        if isinstance(x, dict):
            return {k: _jacobian(out, v, what) for k, v in x.items()}
        return type(x)([_jacobian(out, v, what) for v in x])
    if isinstance(out, dict):
        return {k: _jacobian(v, x, what) for k, v in out.items()}
    return type(out)([_jacobian(v, x, what) for v in out])


def jacrev(func, argnums=0, *, has_aux=False, chunk_size=None, _preallocate_and_copy=False):
    def wrapper(*args):
        out = transformed(func, *args)
        aux = None
        if has_aux:
            out, aux = out
        x = args[argnums] if isinstance(argnums, int) else tuple([args[i] for i in argnums])
        j = _jacobian(out, x, 'torch.func.jacrev')
        return (j, aux) if has_aux else j
    return wrapper


def jacfwd(func, argnums=0, has_aux=False, *, randomness='error'):
    return jacrev(func, argnums, has_aux=has_aux)


def linearize(func, *primals):
    out = func(*primals)
    return out, lambda *tangents: _zeros(out, 'torch.func.linearize')


def debug_unwrap(tensor, *, recurse=True):
    return tensor


def replace_all_batch_norm_modules_(root):
    for m in root.modules():
        if isinstance(m, torch.nn.modules.batchnorm._BatchNorm):
            m.running_mean = None
            m.running_var = None
            m.num_batches_tracked = None
            m.track_running_stats = False
    return root


def hessian(func, argnums=0):
    return jacrev(jacrev(func, argnums), argnums)


def functionalize(func, *, remove='mutations'):
    return lambda *args, **kwargs: transformed(func, *args, **kwargs)


def stack_module_state(models):
    params, buffers = {}, {}
    for k, v in models[0].named_parameters():
        params[k] = torch.stack([m.get_parameter(k) for m in models])
    for k, v in models[0].named_buffers():
        buffers[k] = torch.stack([m.get_buffer(k) for m in models])
    return params, buffers


def rearrange(tensor, pattern, **axes_lengths):
    import einops
    return einops.rearrange(tensor, pattern, **axes_lengths)
