# This file holds functions and classes of torch that are seldom asked for; __getattr__ of
# the module looks here.
import torch


class SymInt:
    pass


class SymFloat:
    pass


class SymBool:
    pass


class OutOfMemoryError(RuntimeError):
    pass


class AcceleratorError(RuntimeError):
    pass


legacy_contiguous_format = torch.contiguous_format


def get_device_module(device=None):
    kind = device if isinstance(device, str) else 'cpu' if device is None else device.type
    return getattr(torch, kind.partition(':')[0])


def _safe_softmax(input, dim, dtype=None):
    return torch.softmax(input, dim, dtype=dtype)


def slice_inverse(input, src, dim=0, start=None, end=None, step=1):
    return torch.slice_scatter(input, src, dim, start, end, step).clone()


def _int_mm(self, mat2):
    for t, name in ((self, 'self'), (mat2, 'mat2')):
        if t.dtype != torch.int8:
            raise RuntimeError(f'Expected {name} dtype to be int8 but got {t.dtype}')
    return torch.mm(self.int(), mat2.int())


def _scaled_mm(self, mat2, scale_a=None, scale_b=None, bias=None, scale_result=None, out_dtype=None, use_fast_accum=False):
    for t, name in ((self, 'mat1'), (mat2, 'mat2')):
        if not str(t.dtype).startswith('torch.float8'):
            raise RuntimeError(f'Expected {name} to be Float8 matrix got {t.dtype}')
    out = torch.mm(self.float() * scale_a, mat2.float() * scale_b)
    if bias is not None:
        out = out + bias
    return out.to(self.dtype if out_dtype is None else out_dtype)


def from_dlpack(ext_tensor, *, device=None, copy=None):
    if isinstance(ext_tensor, torch.Tensor):
        return ext_tensor.detach()
    return torch.from_numpy(ext_tensor)


def sym_fresh_size(expr):
    return expr


def sym_constrain_range_for_size(size, *, min=None, max=None):
    pass


class thread_safe_generator:
    def __init__(self, *args, **kwargs):
        pass


def _each(fn):
    def apply(tensors, *args, **kwargs):
        others = [a if isinstance(a, (list, tuple)) else [a] * len(tensors) for a in args]
        for o in others:
            if len(o) != len(tensors):
                raise RuntimeError(f'Tensor lists must have the same number of tensors, got {len(tensors)} and {len(o)}')
        return tuple([fn(t, *[o[i] for o in others], **kwargs) for i, t in enumerate(tensors)])
    return apply


def foreach(op):
    """The function _foreach_op: op for each tensor of a list."""
    if op.endswith('_'):
        each = _each(getattr(torch.Tensor, {'maximum_': 'clamp_min_', 'minimum_': 'clamp_max_'}.get(op, op)))
        return lambda *args, **kwargs: each(*args, **kwargs) and None
    if op == 'norm':
        return _each(torch.linalg.vector_norm)
    return _each(getattr(torch.Tensor, {'maximum': 'clamp_min', 'minimum': 'clamp_max'}.get(op, op)))
