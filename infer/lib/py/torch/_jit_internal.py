# This file is torch._jit_internal: markers for a compiler that change nothing.
from typing import Any, Callable, Dict, Final, List, Optional, Tuple, Union
from .jit import _overload, _overload_method, export, ignore, unused
from .jit import is_scripting, is_tracing


def boolean_dispatch(arg_name, arg_index, default, if_true, if_false, module_name, func_name):
    def fn(*args, **kwargs):
        flag = default
        if arg_name in kwargs:
            flag = kwargs[arg_name]
        elif arg_index < len(args):
            flag = args[arg_index]
        return if_true(*args, **kwargs) if flag else if_false(*args, **kwargs)
    return fn


def _copy_to_script_wrapper(fn):
    return fn


class _BroadcastingList:
    def __getitem__(self, types):
        return types


BroadcastingList1 = BroadcastingList2 = BroadcastingList3 = _BroadcastingList()
