# This file defines parametrizations: a parameter becomes a property of a class
# made for the module, which computes it from the original.
import contextlib
import torch
from ..modules.container import ModuleDict, ModuleList
from ..modules.module import Module
from ..parameter import Parameter


@contextlib.contextmanager
def cached():
    yield


class ParametrizationList(ModuleList):
    def __init__(self, modules, original, unsafe=False):
        if len(modules) == 0:
            raise ValueError('ParametrizationList requires one or more modules.')
        super().__init__(modules)
        self.unsafe = unsafe
        value = original
        for module in reversed(list(self)):
            if hasattr(module, 'right_inverse'):
                value = module.right_inverse(value)
        self.is_tensor = isinstance(value, torch.Tensor)
        if self.is_tensor:
            self._keep('original', value, original)
        else:
            self.ntensors = len(value)
            for i, v in enumerate(value):
                self._keep(f'original{i}', v, original)

    def _keep(self, name, value, original):
        if isinstance(original, Parameter):
            setattr(self, name, value if isinstance(value, Parameter) else Parameter(value, original.requires_grad))
        else:
            self.register_buffer(name, value)

    def forward(self):
        if self.is_tensor:
            x = self[0](self.original)
        else:
            x = self[0](*[getattr(self, f'original{i}') for i in range(self.ntensors)])
        for module in list(self)[1:]:
            x = module(x)
        return x


def _property(name):
    def get(self):
        return self.parametrizations[name]()

    def put(self, value):
        pass

    return property(get, put)


def register_parametrization(module, tensor_name, parametrization, *, unsafe=False):
    parametrization.train(module.training)
    if is_parametrized(module, tensor_name):
        module.parametrizations[tensor_name].append(parametrization)
        return module
    if tensor_name not in module._parameters and tensor_name not in module._buffers:
        raise ValueError(f"Module '{module}' does not have a parameter, a buffer, or a parametrized element with name '{tensor_name}'")
    original = getattr(module, tensor_name)
    parametrizations = ParametrizationList([parametrization], original, unsafe)
    delattr(module, tensor_name)
    if not is_parametrized(module):
        base = type(module)
        module.__class__ = type('Parametrized' + base.__name__, (base,), {'_base': base})
        module.parametrizations = ModuleDict()
    setattr(type(module), tensor_name, _property(tensor_name))
    module.parametrizations[tensor_name] = parametrizations
    return module


def is_parametrized(module, tensor_name=None):
    parametrizations = getattr(module, 'parametrizations', None)
    if not isinstance(parametrizations, ModuleDict):
        return False
    if tensor_name is None:
        return len(parametrizations) > 0
    return tensor_name in parametrizations


def remove_parametrizations(module, tensor_name, leave_parametrized=True):
    if not is_parametrized(module, tensor_name):
        raise ValueError(f'Module {module} does not have a parametrization on {tensor_name}')
    parametrizations = module.parametrizations[tensor_name]
    if leave_parametrized:
        value = getattr(module, tensor_name)
    else:
        value = parametrizations.original
    delattr(type(module), tensor_name)
    del module.parametrizations[tensor_name]
    is_param = not parametrizations.is_tensor or 'original' in parametrizations._parameters
    if not is_parametrized(module):
        delattr(module, 'parametrizations')
        module.__class__ = type(module)._base
    if is_param:
        module.register_parameter(tensor_name, value if isinstance(value, Parameter) else Parameter(value.detach()))
    else:
        module.register_buffer(tensor_name, value)
    return module


def type_before_parametrizations(module):
    return type(module)._base if is_parametrized(module) else type(module)


def transfer_parametrizations_and_params(from_module, to_module, tensor_name=None):
    if is_parametrized(from_module):
        names = list(from_module.parametrizations) if tensor_name is None else [tensor_name]
        for name in names:
            if not hasattr(to_module, name):
                setattr(to_module, name, getattr(from_module, name).detach())
            for parametrization in from_module.parametrizations[name]:
                register_parametrization(to_module, name, parametrization)
    return to_module
