# asteroid_filterbanks.transforms: complex numbers as two halves of an axis, the real parts first.
import torch as _torch


def check_complex(tensor, dim=-2):
    if tensor.shape[dim] % 2 != 0:
        raise AssertionError(f'Could not equally chunk the tensor (shape {tensor.shape}) along the given dimension ({dim}). Dim axis is '
                             'probably wrong')


def is_asteroid_complex(tensor, dim=-2):
    return tensor.shape[dim] % 2 == 0


def reim(x, dim=-2):
    return _torch.chunk(x, 2, dim=dim)


def mul_c(inp, other, dim=-2):
    check_complex(inp, dim)
    check_complex(other, dim)
    (a, b), (c, d) = inp.chunk(2, dim=dim), other.chunk(2, dim=dim)
    return _torch.cat([a * c - b * d, a * d + b * c], dim=dim)


def mag(x, dim=-2, EPS=1e-8):
    check_complex(x, dim)
    return (_torch.stack(_torch.chunk(x, 2, dim=dim), dim=-1).pow(2).sum(dim=-1) + EPS).pow(.5)


def magreim(x, dim=-2):
    return _torch.cat([mag(x, dim), x], dim=dim)


def apply_real_mask(tf_rep, mask, dim=-2):
    return tf_rep * mask


def apply_mag_mask(tf_rep, mask, dim=-2):
    check_complex(tf_rep, dim)
    return tf_rep * _torch.cat([mask, mask], dim=dim)


def apply_complex_mask(tf_rep, mask, dim=-2):
    check_complex(tf_rep, dim)
    return mul_c(tf_rep, mask, dim)


def to_torchaudio(tensor, dim=-2):
    return _torch.stack(_torch.chunk(tensor, 2, dim=dim), dim=-1)


def from_torchaudio(tensor, dim=-2):
    return _torch.cat(_torch.chunk(tensor, 2, dim=-1), dim=dim - 1 if dim < 0 else dim).squeeze(-1)


def to_torch_complex(tensor, dim=-2):
    return _torch.view_as_complex(to_torchaudio(tensor, dim))


def from_torch_complex(tensor, dim=-2):
    return _torch.cat([tensor.real, tensor.imag], dim=dim)


def angle(tensor, dim=-2):
    check_complex(tensor, dim)
    real, imag = _torch.chunk(tensor, 2, dim=dim)
    return _torch.atan2(imag, real)


def from_magphase(mag_spec, phase, dim=-2):
    return _torch.cat([mag_spec * _torch.cos(phase), mag_spec * _torch.sin(phase)], dim=dim)


def magphase(spec, dim=-2):
    return mag(spec, dim), angle(spec, dim)
