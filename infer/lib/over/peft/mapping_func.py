# Adapters of a model that is not known are not gone through.
import peft.mapping_func as _real
from _shapecheck import is_unknown as _is_unknown, unknown as _unknown

_with_adapters = _real.get_peft_model


def get_peft_model(model, *args, **kwargs):
    return _unknown('a model with adapters whose base is not known') if _is_unknown(model) else _with_adapters(model, *args, **kwargs)
