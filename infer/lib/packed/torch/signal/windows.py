# This file is torch.signal.windows. A window that is not symmetric is the symmetric one
# of a point more, without its last point.
from math import pi, sqrt
import torch


def _check(name, M, dtype, layout):
    if M < 0:
        raise ValueError(f'{name} requires non-negative window length, got M={M}')
    if layout is not torch.strided:
        raise ValueError(f'{name} is implemented for strided tensors only, got: {layout}')
    if dtype not in (torch.float32, torch.float64):
        raise ValueError(f'{name} expects float32 or float64 dtypes, got: {dtype}')


def _span(M, sym):
    return M - 1 if sym or M <= 1 else M


def exponential(M, *, center=None, tau=1.0, sym=True, dtype=None, layout=torch.strided, device=None, requires_grad=False):
    if dtype is None:
        dtype = torch.get_default_dtype()
    _check('exponential', M, dtype, layout)
    if tau <= 0:
        raise ValueError(f'Tau must be positive, got: {tau} instead.')
    if sym and center is not None:
        raise ValueError('Center must be None for symmetric windows')
    like = {'dtype': dtype, 'layout': layout, 'device': device, 'requires_grad': requires_grad}
    if M == 0:
        return torch.empty((0,), **like)
    if center is None:
        center = _span(M, sym) / 2.0
    k = torch.linspace(-center / tau, (M - 1 - center) / tau, steps=M, **like)
    return torch.exp(-torch.abs(k))


def cosine(M, *, sym=True, dtype=None, layout=torch.strided, device=None, requires_grad=False):
    if dtype is None:
        dtype = torch.get_default_dtype()
    _check('cosine', M, dtype, layout)
    like = {'dtype': dtype, 'layout': layout, 'device': device, 'requires_grad': requires_grad}
    if M == 0:
        return torch.empty((0,), **like)
    step = pi / (_span(M, sym) + 1)
    return torch.sin(torch.linspace(0.5 * step, (M - 0.5) * step, steps=M, **like))


def gaussian(M, *, std=1.0, sym=True, dtype=None, layout=torch.strided, device=None, requires_grad=False):
    if dtype is None:
        dtype = torch.get_default_dtype()
    _check('gaussian', M, dtype, layout)
    if std <= 0:
        raise ValueError(f'Standard deviation must be positive, got: {std} instead.')
    like = {'dtype': dtype, 'layout': layout, 'device': device, 'requires_grad': requires_grad}
    if M == 0:
        return torch.empty((0,), **like)
    start, scale = -_span(M, sym) / 2.0, 1 / (std * sqrt(2))
    k = torch.linspace(start * scale, (start + M - 1) * scale, steps=M, **like)
    return torch.exp(-k ** 2)


def kaiser(M, *, beta=12.0, sym=True, dtype=None, layout=torch.strided, device=None, requires_grad=False):
    if dtype is None:
        dtype = torch.get_default_dtype()
    _check('kaiser', M, dtype, layout)
    if beta < 0:
        raise ValueError(f'beta must be non-negative, got: {beta} instead.')
    like = {'dtype': dtype, 'layout': layout, 'device': device, 'requires_grad': requires_grad}
    if M == 0:
        return torch.empty((0,), **like)
    if M == 1:
        return torch.ones((1,), **like)
    beta = torch.tensor(beta, dtype=dtype, device=device)
    k = torch.linspace(-1.0, -1.0 + 2.0 * (M - 1) / _span(M, sym), steps=M, **like)
    return torch.i0(beta * torch.sqrt(torch.clamp(1 - k ** 2, min=0))) / torch.i0(beta)


def general_cosine(M, *, a, sym=True, dtype=None, layout=torch.strided, device=None, requires_grad=False):
    if dtype is None:
        dtype = torch.get_default_dtype()
    _check('general_cosine', M, dtype, layout)
    like = {'dtype': dtype, 'layout': layout, 'device': device, 'requires_grad': requires_grad}
    if M == 0:
        return torch.empty((0,), **like)
    if M == 1:
        return torch.ones((1,), **like)
    if not isinstance(a, (list, tuple)):
        raise TypeError('Coefficients must be a list/tuple')
    if not a:
        raise ValueError('Coefficients cannot be empty')
    k = torch.linspace(0, 2 * pi * (M - 1) / _span(M, sym), steps=M, **like)
    signed = torch.tensor([(-1) ** i * w for i, w in enumerate(a)], device=device, dtype=dtype, requires_grad=requires_grad)
    i = torch.arange(len(signed), dtype=dtype, device=device)
    return (signed.unsqueeze(-1) * torch.cos(i.unsqueeze(-1) * k)).sum(0)


def general_hamming(M, *, alpha=0.54, sym=True, dtype=None, layout=torch.strided, device=None, requires_grad=False):
    return general_cosine(M, a=[alpha, 1.0 - alpha], sym=sym, dtype=dtype, layout=layout, device=device, requires_grad=requires_grad)


def hamming(M, *, sym=True, dtype=None, layout=torch.strided, device=None, requires_grad=False):
    return general_hamming(M, sym=sym, dtype=dtype, layout=layout, device=device, requires_grad=requires_grad)


def hann(M, *, sym=True, dtype=None, layout=torch.strided, device=None, requires_grad=False):
    return general_hamming(M, alpha=0.5, sym=sym, dtype=dtype, layout=layout, device=device, requires_grad=requires_grad)


def blackman(M, *, sym=True, dtype=None, layout=torch.strided, device=None, requires_grad=False):
    if dtype is None:
        dtype = torch.get_default_dtype()
    _check('blackman', M, dtype, layout)
    return general_cosine(M, a=[0.42, 0.5, 0.08], sym=sym, dtype=dtype, layout=layout, device=device, requires_grad=requires_grad)


def bartlett(M, *, sym=True, dtype=None, layout=torch.strided, device=None, requires_grad=False):
    if dtype is None:
        dtype = torch.get_default_dtype()
    _check('bartlett', M, dtype, layout)
    like = {'dtype': dtype, 'layout': layout, 'device': device, 'requires_grad': requires_grad}
    if M == 0:
        return torch.empty((0,), **like)
    if M == 1:
        return torch.ones((1,), **like)
    k = torch.linspace(-1.0, -1.0 + 2.0 * (M - 1) / _span(M, sym), steps=M, **like)
    return 1 - torch.abs(k)


def nuttall(M, *, sym=True, dtype=None, layout=torch.strided, device=None, requires_grad=False):
    return general_cosine(M, a=[0.3635819, 0.4891775, 0.1365995, 0.0106411], sym=sym, dtype=dtype, layout=layout, device=device, requires_grad=requires_grad)
