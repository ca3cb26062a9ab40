# The module under which functions of the old style are defined.
from .function_node import Function, FunctionAdapter
from ._config import force_backprop_mode, no_backprop_mode
