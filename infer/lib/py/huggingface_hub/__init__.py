# The package huggingface_hub: nothing is fetched, so that what comes from the hub is
# unknown. Names that are not here are unknown, too.
import _shapecheck
from .constants import is_offline_mode


def __getattr__(name):
    if name.startswith('__'):
        raise AttributeError(name)
    return _shapecheck.unknown('what comes from the hub of models')


class ModelHubMixin:
    def __init_subclass__(cls, **kwargs):
        pass


class PyTorchModelHubMixin(ModelHubMixin):
    pass
