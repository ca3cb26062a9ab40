# Configurations that a program stores under names.
from omegaconf import OmegaConf as _OmegaConf

_nodes = {}


class ConfigStore:
    _instance = None

    @staticmethod
    def instance(*args, **kwargs):
        if ConfigStore._instance is None:
            ConfigStore._instance = ConfigStore()
        return ConfigStore._instance

    def store(self, name, node, group=None, package=None, provider=None):
        _nodes[(group, name)] = node


def _find(name):
    # The configuration of a name that is composed of no others; None.
    node = _nodes.get((None, name))
    return None if node is None else _OmegaConf.create(node) if isinstance(node, dict) else _OmegaConf.structured(node)
