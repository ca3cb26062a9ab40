# The submodules of a model up to the last one whose result is asked for.
from collections import OrderedDict as _OrderedDict
from torch import nn as _nn
from torchvision.models._api import make_divisible as _make_divisible


class IntermediateLayerGetter(_nn.ModuleDict):
    _version = 2

    def __init__(self, model, return_layers):
        children = dict(model.named_children())
        if not set(return_layers).issubset(children):
            raise ValueError('return_layers are not present in model')
        wanted = {str(k): str(v) for k, v in return_layers.items()}
        rest = set(wanted)
        layers = _OrderedDict()
        for name, module in children.items():
            if rest:
                layers[name] = module
            rest.discard(name)
        super().__init__(layers)
        self.return_layers = wanted

    def forward(self, x):
        out = _OrderedDict()
        for name, module in self.items():
            x = module(x)
            if name in self.return_layers:
                out[self.return_layers[name]] = x
        return out


def stages(net):
    # The layers of a MobileNet at which the picture gets smaller, the first and the last.
    return [0] + [i for i, layer in enumerate(net) if getattr(layer, '_is_cn', False)] + [len(net) - 1]
