# This file is torch.overrides: no tensor intercepts functions here.


def has_torch_function(args):
    return False


def has_torch_function_unary(arg):
    return False


def has_torch_function_variadic(*args):
    return False


def handle_torch_function(func, types, *args, **kwargs):
    return func(*args, **kwargs)


def is_tensor_like(inp):
    import torch
    return isinstance(inp, torch.Tensor)


class TorchFunctionMode:
    def __enter__(self):
        return self

    def __exit__(self, *args):
        pass
