# This file is torch.export: programs stay the modules that they are made of.


class _Dim:
    AUTO = 'AUTO'
    STATIC = 'STATIC'
    DYNAMIC = 'DYNAMIC'

    def __call__(self, name, *, min=None, max=None):
        return name


Dim = _Dim()


def dims(*names, min=None, max=None):
    return names


class ExportedProgram:
    def __init__(self, mod):
        self._module = mod
        self.graph_signature = self.range_constraints = None

    def module(self, check_guards=True):
        return self._module

    def run_decompositions(self, decomp_table=None):
        return self

    @property
    def state_dict(self):
        return self._module.state_dict()


def export(mod, args, kwargs=None, *, dynamic_shapes=None, strict=False, preserve_module_call_signature=(), prefer_deferred_runtime_asserts_over_guards=False):
    mod(*args, **(kwargs or {}))
    return ExportedProgram(mod)


export_for_training = draft_export = export


def save(ep, f, *, extra_files=None, opset_version=None, pickle_protocol=2):
    pass


def register_dataclass(cls, *, serialized_type_name=None):
    pass
