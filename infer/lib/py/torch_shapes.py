# This file gives the names of Pyrefly's older package torch_shapes.
from shape_extensions import Dim, Int, IntVar, TypeVar, TypeVarTuple
