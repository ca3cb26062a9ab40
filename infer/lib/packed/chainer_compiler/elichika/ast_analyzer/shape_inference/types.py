# This file gives the types under their later place.
import numpy as np
from chainer_compiler.elichika.typing.types import (TyBool, TyChainerVariable, TyFloat, TyInt, TyNdarray, TyNone, TyString,
                                                    TyTensor, TyTorchTensor)
