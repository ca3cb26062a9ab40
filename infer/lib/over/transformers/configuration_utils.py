# Configurations come from folders of the project; what a hub has is unknown.
import json as _json
import os as _os
import transformers.configuration_utils as _real
from _shapecheck import is_unknown as _is_unknown, outside_file as _outside_file, project_text as _project_text, unknown as _unknown

_Config = getattr(_real, 'PreTrainedConfig', None) or _real.PretrainedConfig
_NAMES = ('cache_dir', 'force_download', 'resume_download', 'proxies', 'token', 'use_auth_token', 'local_files_only', 'revision', 'trust_remote_code',
          '_from_pipeline', '_from_auto', '_commit_hash')


def _read(path, subfolder='', name='config.json'):
    # The text of a configuration, None where the project has none.
    if path is None or _is_unknown(path):
        return None
    path = _os.fspath(path)
    if path.endswith('.json'):
        text = _project_text(_os.path.join(subfolder, path))
        if text is not None:
            return text
    return _project_text(_os.path.join(path, subfolder, name))


def _missing(path, what):
    # What is known of a model or configuration that the project does not have.
    if path is None or _is_unknown(path):
        return _unknown(what + ' of a name that is not known')
    outside = _outside_file(path)
    if outside is not None:
        return outside
    return _unknown(what + ' of ' + repr(str(path)) + ', which is no folder of the project with a config.json')


@classmethod
def _get_config_dict(cls, pretrained_model_name_or_path, **kwargs):
    for name in _NAMES:
        kwargs.pop(name, None)
    text = _read(pretrained_model_name_or_path, kwargs.pop('subfolder', ''), kwargs.pop('_configuration_file', 'config.json'))
    if text is None or kwargs.get('gguf_file') is not None:
        return _missing(pretrained_model_name_or_path, 'the configuration'), kwargs
    try:
        config = _json.loads(text)
    except _json.JSONDecodeError:
        raise OSError(f"It looks like the config file at '{pretrained_model_name_or_path}' is not a valid JSON file.")
    if hasattr(cls, '_decode_special_floats'):
        config = cls._decode_special_floats(config)
    return config, kwargs


_from_pretrained = _Config.from_pretrained.__func__


@classmethod
def _from_folder(cls, pretrained_model_name_or_path, **kwargs):
    if _read(pretrained_model_name_or_path, kwargs.get('subfolder', '')) is None:
        return _missing(pretrained_model_name_or_path, 'the configuration')
    return _from_pretrained(cls, pretrained_model_name_or_path, **kwargs)


_Config._get_config_dict = _get_config_dict
_Config.from_pretrained = _from_folder


def _has_adapters(path, kwargs):
    # Whether a folder has adapters of peft, whose layers would be added to the model's.
    return not _is_unknown(path) and path is not None and _read(path, kwargs.get('subfolder', ''), 'adapter_config.json') is not None
