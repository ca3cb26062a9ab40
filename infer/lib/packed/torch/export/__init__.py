# This file is torch.export: programs stay the modules that they are made of, but where the
# exports of a script are recorded (_program.py).
import _shapecheck
from ._dims import Dim, ShapesCollection, dims
from . import _program


_SIGNATURE = ('input_specs', 'output_specs', 'user_inputs', 'user_outputs', 'buffers_to_mutate', 'parameters_to_mutate',
              'user_inputs_to_mutate', 'non_persistent_buffers', 'lifted_tensor_constants', 'inputs_to_lifted_tensor_constants',
              'lifted_custom_objs', 'inputs_to_lifted_custom_objs', 'backward_signature', 'assertion_dep_token', 'input_tokens',
              'output_tokens')
_PROGRAM = ('graph', 'graph_module', 'constants', 'tensor_constants', 'call_spec', 'dialect', 'verifier', 'verifiers',
            'module_call_graph')


def _known_names(of, names, name):
    if name in names:
        return _shapecheck.unknown('the graph of an exported program')
    raise AttributeError(f'{type(of).__name__!r} object has no attribute {name!r}')


# Names of nodes are those of the graph, which is not made; those of states are the module's.
class ExportGraphSignature:
    def __init__(self, mod):
        self.parameters = tuple(n for n, _ in mod.named_parameters())
        self.buffers = tuple(n for n, _ in mod.named_buffers())
        self.inputs_to_parameters = {'p_' + n.replace('.', '_'): n for n in self.parameters}
        self.inputs_to_buffers = {'b_' + n.replace('.', '_'): n for n in self.buffers}

    def __getattr__(self, name):
        return _known_names(self, _SIGNATURE, name)


class ExportedProgram:
    def __init__(self, mod, number=None, args=(), kwargs=None, dynamic_shapes=None):
        self._module = mod
        self._number = number
        self.example_inputs = (tuple(args), dict(kwargs or {}))
        self.graph_signature = ExportGraphSignature(mod)
        if dynamic_shapes:
            self.range_constraints = _shapecheck.unknown('the ranges of the sizes of an exported program')
        else:
            self.range_constraints = {}

    def __getattr__(self, name):
        return _known_names(self, _PROGRAM, name)

    def parameters(self):
        return self._module.parameters()

    def named_parameters(self):
        return self._module.named_parameters()

    def buffers(self):
        return self._module.buffers()

    def named_buffers(self):
        return self._module.named_buffers()

    def validate(self):
        pass

    def module(self, check_guards=True):
        return self._module if self._number is None else _program.Program(self._module, self._number)

    def run_decompositions(self, decomp_table=None):
        return self

    @property
    def state_dict(self):
        return self._module.state_dict()


def export(mod, args, kwargs=None, *, dynamic_shapes=None, strict=False, preserve_module_call_signature=(), prefer_deferred_runtime_asserts_over_guards=False):
    if _shapecheck.jit_records():
        return ExportedProgram(mod, _program.export(mod, args, kwargs or {}, dynamic_shapes, strict), args, kwargs, dynamic_shapes)
    mod(*args, **(kwargs or {}))
    return ExportedProgram(mod, None, args, kwargs, dynamic_shapes)


export_for_training = draft_export = export


def save(ep, f, *, extra_files=None, opset_version=None, pickle_protocol=2):
    pass


def register_dataclass(cls, *, serialized_type_name=None):
    pass
