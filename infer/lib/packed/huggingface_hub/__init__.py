# The package huggingface_hub: nothing is fetched, so that what comes from the hub is
# unknown. Names that are not here are unknown, too.
import _shapecheck
from .constants import is_offline_mode


def __getattr__(name):
    if name.startswith('__'):
        raise AttributeError(name)
    return _shapecheck.unknown('what comes from the hub of models')


class ModelHubMixin:
    def __new__(cls, *args, **kwargs):
        return super().__new__(cls)

    def __init_subclass__(cls, **kwargs):
        pass

    def save_pretrained(self, save_directory, *, config=None, repo_id=None, push_to_hub=False, model_card_kwargs=None, **push_to_hub_kwargs):
        return _shapecheck.unknown('what the hub answers') if push_to_hub else None

    @classmethod
    def from_pretrained(cls, pretrained_model_name_or_path, *, force_download=False, token=None, cache_dir=None, local_files_only=False, revision=None, **model_kwargs):
        return _shapecheck.unknown('a model from the hub, or from a folder')

    def push_to_hub(self, repo_id, **kwargs):
        return _shapecheck.unknown('what the hub answers')


class PyTorchModelHubMixin(ModelHubMixin):
    pass
