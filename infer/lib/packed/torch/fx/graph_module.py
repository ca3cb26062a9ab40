# This file is torch.fx.graph_module.
from . import GraphModule


def _copy_attr(from_module, to_module, target):
    setattr(to_module, target, getattr(from_module, target))
