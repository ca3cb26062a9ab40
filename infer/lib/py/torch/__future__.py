# This file is torch.__future__: how modules are moved changes no type.
_flags = {'overwrite': False, 'swap': False}


def set_overwrite_module_params_on_conversion(value):
    _flags['overwrite'] = value


def get_overwrite_module_params_on_conversion():
    return _flags['overwrite']


def set_swap_module_params_on_conversion(value):
    _flags['swap'] = value


def get_swap_module_params_on_conversion():
    return _flags['swap']
