# This file has what the files of torch.nn import from elsewhere: programs take such names
# from them, too. It is loaded when a file is asked for a name that it has in PyTorch and not here.
import collections
import collections.abc as container_abcs
import copy
import functools
import inspect
import itertools
import math
import numbers
import operator
import warnings
import weakref
from collections import OrderedDict, abc, namedtuple
from itertools import chain, islice, repeat
from typing import (TYPE_CHECKING, Any, Callable, Dict, Generic, Iterable, Iterator, List, Literal, Mapping, NamedTuple, Optional, Protocol, Sequence,
                    Set, Tuple, Type, TypeVar, Union, overload)
import torch
import torch.distributed as dist
import torch.nn._reduction as _Reduction
import torch.nn.functional as F
import torch.nn.init as init
from torch import Size, Tensor, device, dtype, memory_format
from torch._jit_internal import _copy_to_script_wrapper
from torch.autograd.function import Function
from torch.nn.common_types import (_ratio_2_t, _ratio_3_t, _ratio_any_t, _scalar_or_tuple_any_t, _size_1_t, _size_2_opt_t, _size_2_t, _size_3_opt_t,
                                   _size_3_t, _size_4_t, _size_6_t, _size_any_opt_t, _size_any_t)
from torch.nn.init import constant_, xavier_normal_, xavier_uniform_
from torch.nn.modules.batchnorm import _LazyNormBase, _NormBase
from torch.nn.modules.lazy import LazyModuleMixin
from torch.nn.modules.linear import NonDynamicallyQuantizableLinear
from torch.nn.modules.utils import _ntuple, _pair, _quadruple, _reverse_repeat_tuple, _single, _triple
from torch.nn.parameter import Buffer, Parameter, UninitializedBuffer, UninitializedParameter, is_lazy
from torch.nn.utils.rnn import PackedSequence
from torch.types import _size
from torch.utils.hooks import BackwardHook, RemovableHandle


def __getattr__(name):  # a layer of another file
    return getattr(torch.nn.modules, name)
