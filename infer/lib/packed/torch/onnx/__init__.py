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


# A model of ONNX, of which calls give what the module gives, one after the other.
class ONNXProgram:
    def __init__(self, model):
        exported = type(model).__name__ == 'ExportedProgram'
        self._model = model.module() if exported else model
        self.exported_program = model if exported else None

    def __call__(self, *args, **kwargs):
        out = self._model(*args, **kwargs)
        return tuple(_flat(out))

    call_reference = __call__

    @property
    def model(self):
        return _shapecheck.unknown('a model of ONNX')

    @property
    def model_proto(self):
        return _shapecheck.unknown('a model of ONNX')

    def optimize(self):
        pass

    def save(self, destination, *, include_initializers=True, keep_initializers_as_inputs=False, external_data=None):
        pass

    def apply_weights(self, state_dict):
        pass

    def initialize_inference_session(self, initializer=None):
        pass

    def compute_values(self, value_names, args=(), kwargs=None):
        return _shapecheck.unknown('values within a model of ONNX')

    def rename_axes(self, rename_mapping):
        pass

    def release(self):
        pass


def _flat(out):
    if isinstance(out, (list, tuple)):
        return [x for o in out for x in _flat(o)]
    if isinstance(out, dict):
        return [x for o in out.values() for x in _flat(o)]
    return [out]


def export(model, args=(), f=None, *other, dynamo=True, **kwargs):
    if not dynamo:
        if _shapecheck.jit_records():
            _exported.export(model, args, f, kwargs)
        return None
    return ONNXProgram(model)


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
