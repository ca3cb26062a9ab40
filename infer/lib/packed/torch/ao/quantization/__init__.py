# This file is torch.ao.quantization: stubs and observers of a float model. A
# model that is prepared keeps its float types; between the stubs of one that is
# converted the dtype is not known.
import copy
import torch
from ...nn.modules.container import Sequential
from ...nn.modules.module import Module
from .stubs import DeQuantStub, QuantStub, QuantWrapper


class _Identity(Module):
    def __init__(self, *args, **kwargs):
        super().__init__()

    def forward(self, x):
        return x

    @classmethod
    def with_args(cls, **kwargs):
        return cls


class FakeQuantize(_Identity):
    def forward(self, x):
        return torch._stand_in(x, what='torch.ao.quantization.FakeQuantize')


class MinMaxObserver(_Identity):
    pass


class MovingAverageMinMaxObserver(_Identity):
    pass


class PerChannelMinMaxObserver(_Identity):
    pass


class HistogramObserver(_Identity):
    pass


class PlaceholderObserver(_Identity):
    pass


class QConfig:
    def __init__(self, activation=None, weight=None):
        self.activation = activation
        self.weight = weight


default_qconfig = QConfig()
default_dynamic_qconfig = QConfig()
float16_dynamic_qconfig = QConfig()
per_channel_dynamic_qconfig = QConfig()
default_observer = MinMaxObserver
default_fake_quant = FakeQuantize


def get_default_qconfig(backend='fbgemm', version=0):
    return QConfig()


get_default_qat_qconfig = get_default_qconfig


def get_default_qconfig_mapping(backend='fbgemm', version=0):
    return {}


get_default_qat_qconfig_mapping = get_default_qconfig_mapping


def _same(model, *args, **kwargs):
    return model


prepare = _same
prepare_qat = _same
quantize_dynamic = _same
propagate_qconfig_ = _same


def convert(module, mapping=None, inplace=False, **kwargs):
    if not inplace:
        module = copy.deepcopy(module)
    for m in module.modules():
        if isinstance(m, QuantStub):
            m.converted = True
    return module


def quantize(model, run_fn, run_args, mapping=None, inplace=False):
    if not inplace:
        model = copy.deepcopy(model)
    model.eval()
    run_fn(model, *run_args)
    return convert(model, mapping, inplace=True)


def quantize_qat(model, run_fn, run_args, inplace=False):
    if not inplace:
        model = copy.deepcopy(model)
    model.train()
    run_fn(model, *run_args)
    return convert(model, inplace=True)



add_quant_dequant = QuantWrapper
disable_observer = _same
enable_observer = _same
disable_fake_quant = _same
enable_fake_quant = _same


# The first module of a fused list becomes the sequence, the others identities.
def _fuse_list(model, names):
    mods = [model.get_submodule(n) for n in names]
    for i, name in enumerate(names):
        parent, _, last = name.rpartition('.')
        owner = model.get_submodule(parent)
        setattr(owner, last, Sequential(*mods) if i == 0 else _identity())


def _identity():
    from ...nn.modules.linear import Identity
    return Identity()


def fuse_modules(model, modules_to_fuse, inplace=False, **kwargs):
    if not inplace:
        model = copy.deepcopy(model)
    if isinstance(modules_to_fuse[0], str):
        modules_to_fuse = [modules_to_fuse]
    for names in modules_to_fuse:
        _fuse_list(model, names)
    return model


def fuse_modules_qat(model, modules_to_fuse, inplace=False, **kwargs):
    return fuse_modules(model, modules_to_fuse, inplace)
