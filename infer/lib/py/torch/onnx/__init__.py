# This file is torch.onnx; nothing is written.
import _shapecheck
from enum import Enum
from . import _exported


class OperatorExportTypes(Enum):
    ONNX = 0
    ONNX_ATEN = 1
    ONNX_ATEN_FALLBACK = 2
    ONNX_FALLTHROUGH = 3


class TrainingMode(Enum):
    EVAL = 0
    PRESERVE = 1
    TRAINING = 2


def export(model, args=(), f=None, *other, dynamo=True, **kwargs):
    if not dynamo and _shapecheck.jit_records():
        _exported.export(model, args, f, kwargs)


dynamo_export = export


def is_in_onnx_export():
    return _shapecheck.get_option('exporting') == 'yes'


def register_custom_op_symbolic(symbolic_name, symbolic_fn, opset_version):
    pass


def unregister_custom_op_symbolic(symbolic_name, opset_version):
    pass


def select_model_mode_for_export(model, mode):
    import contextlib
    return contextlib.nullcontext()
