# This file is torch.testing: values are not known, so nothing is compared.


def assert_close(actual, expected, **kwargs):
    pass


assert_allclose = assert_close


def make_tensor(*shape, dtype, device, low=None, high=None, requires_grad=False, **kwargs):
    import torch
    if len(shape) == 1 and isinstance(shape[0], (tuple, list)):
        shape = shape[0]
    return torch.empty(shape, dtype=dtype, device=device)
