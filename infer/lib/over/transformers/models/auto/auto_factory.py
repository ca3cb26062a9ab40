# A model that is no folder of the project is unknown.
import transformers.models.auto.auto_factory as _real
from transformers.configuration_utils import _Config, _has_adapters, _missing, _read
from _shapecheck import unknown as _unknown

_from_pretrained = _real._BaseAutoModelClass.from_pretrained.__func__


@classmethod
def _from_folder(cls, pretrained_model_name_or_path, *model_args, **kwargs):
    if not isinstance(kwargs.get('config'), _Config) and _read(pretrained_model_name_or_path, kwargs.get('subfolder', '')) is None:
        return _missing(pretrained_model_name_or_path, 'the model')
    if _has_adapters(pretrained_model_name_or_path, kwargs):
        return _unknown('a model with adapters of peft')
    return _from_pretrained(cls, pretrained_model_name_or_path, *model_args, **kwargs)


_real._BaseAutoModelClass.from_pretrained = _from_folder
