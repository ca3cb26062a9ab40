# This file is torch.export: programs stay the modules that they are made of, but where the
# exports of a script are recorded (_program.py).
import _shapecheck
from ._dims import Dim, ShapesCollection, dims
from . import _program


class ExportedProgram:
    def __init__(self, mod, number=None):
        self._module = mod
        self._number = number
        self.graph_signature = self.range_constraints = None

    def module(self, check_guards=True):
        return self._module if self._number is None else _program.Program(self._module, self._number)

    def run_decompositions(self, decomp_table=None):
        return self

    @property
    def state_dict(self):
        return self._module.state_dict()


def export(mod, args, kwargs=None, *, dynamic_shapes=None, strict=False, preserve_module_call_signature=(), prefer_deferred_runtime_asserts_over_guards=False):
    if _shapecheck.jit_records():
        return ExportedProgram(mod, _program.export(mod, args, kwargs or {}, dynamic_shapes, strict))
    mod(*args, **(kwargs or {}))
    return ExportedProgram(mod)


export_for_training = draft_export = export


def save(ep, f, *, extra_files=None, opset_version=None, pickle_protocol=2):
    pass


def register_dataclass(cls, *, serialized_type_name=None):
    pass
