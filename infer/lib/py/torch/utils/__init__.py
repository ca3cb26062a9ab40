# This file is torch.utils.


def set_module(obj, mod):
    obj.__module__ = mod
