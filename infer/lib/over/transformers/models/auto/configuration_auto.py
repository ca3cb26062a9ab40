# A configuration that is no folder of the project is unknown.
from transformers.configuration_utils import _missing, _read
from transformers.models.auto.configuration_auto import AutoConfig as _Auto

_from_pretrained = _Auto.from_pretrained.__func__


@classmethod
def _from_folder(cls, pretrained_model_name_or_path, **kwargs):
    if _read(pretrained_model_name_or_path, kwargs.get('subfolder', '')) is None:
        return _missing(pretrained_model_name_or_path, 'the configuration')
    return _from_pretrained(cls, pretrained_model_name_or_path, **kwargs)


_Auto.from_pretrained = _from_folder
