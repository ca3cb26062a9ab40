# Models of folders of the project: their configuration says what they are made of.
# Weights are not loaded: only their sizes and types matter.
import copy as _copy
import json as _json
import os as _os
import torch as _torch
import transformers as _library
import transformers.modeling_utils as _real
from transformers.configuration_utils import _Config, _has_adapters, _missing, _read
from _shapecheck import is_unknown as _is_unknown, project_arrays as _project_arrays, unknown as _unknown

# What says how files are found, loaded and spread over devices, and not what a model is.
_NAMES = ('cache_dir', 'force_download', 'resume_download', 'local_files_only', 'token', 'use_auth_token', 'revision', 'use_safetensors', 'weights_only',
          'fusion_config', 'disable_mmap', 'proxies', 'tqdm_class', '_from_pipeline', '_from_auto', 'max_memory', 'offload_folder', 'offload_buffers',
          'offload_state_dict', '_commit_hash', 'variant', 'adapter_kwargs', 'adapter_name', 'generation_config', 'distributed_config', 'device_mesh',
          'tp_plan', 'tp_size', 'trust_remote_code', 'allow_all_kernels', 'use_kernels', 'kernel_config', 'key_mapping', 'mirror', '_fast_init',
          'low_cpu_mem_usage', 'from_tf', 'from_flax', 'code_revision', 'state_dict')


def _dtype_of(dtype, config):
    # None where only the files of weights tell.
    if isinstance(dtype, dict):
        dtype = dtype.get('', _torch.get_default_dtype())
    if dtype is None and int(getattr(_library, '__version__', '5').split('.')[0]) < 5:
        return _torch.get_default_dtype()
    if dtype is None or dtype == 'auto':
        return config.dtype if getattr(config, 'dtype', None) is not None else getattr(config, 'torch_dtype', None)
    return getattr(_torch, dtype) if isinstance(dtype, str) else dtype


def _dtype_of_weights(path, subfolder):
    # The type of the numbers in a folder's weights, where all have the same; None where no file tells.
    files = ['model.safetensors', 'pytorch_model.bin']
    index = _read(path, subfolder, 'model.safetensors.index.json')
    if index is not None:
        files = sorted(set(_json.loads(index)['weight_map'].values()))
    types = set()
    for name in files:
        found = _project_arrays(_os.path.join(_os.fspath(path), subfolder, name), lambda dtype, shape, path: dtype)
        if found is not None:
            if _is_unknown(found) or not isinstance(found[1], dict):
                return None
            types.update([d for d in found[1].values() if isinstance(d, _torch.dtype) and d.is_floating_point])
            if index is None:
                break
        elif index is not None:
            return None
    return types.pop() if len(types) == 1 else None


def _keep_float32(model, dtype):
    # Weights whose names a model lists stay float32 when it is loaded in a smaller type.
    names = set(getattr(model, '_keep_in_fp32_modules_strict', None) or ()) if dtype in (_torch.float16, _torch.bfloat16) else set()
    if dtype == _torch.float16:
        names.update(getattr(model, '_keep_in_fp32_modules', None) or ())
    if names:
        for name, param in model.named_parameters():
            if any([n in name for n in names]):
                param.data = param.data.to(_torch.float32)


@classmethod
def _from_folder(cls, pretrained_model_name_or_path, *model_args, config=None, ignore_mismatched_sizes=False, **kwargs):
    if _has_adapters(pretrained_model_name_or_path, kwargs):
        return _unknown('a model with adapters of peft')
    subfolder = kwargs.pop('subfolder', '')
    dtype = kwargs.pop('dtype', None)
    torch_dtype = kwargs.pop('torch_dtype', None)
    device_map = kwargs.pop('device_map', None)
    info = kwargs.pop('output_loading_info', False)
    if kwargs.pop('gguf_file', None) is not None:
        return _unknown('a model of a GGUF file')
    if kwargs.pop('quantization_config', None) is not None:
        return _unknown('a model whose weights are quantized when it is loaded')
    attention = {name: kwargs.pop(name) for name in ('attn_implementation', 'experts_implementation') if name in kwargs}
    for name in _NAMES:
        kwargs.pop(name, None)
    if isinstance(config, _Config):
        config = _copy.deepcopy(config)
    else:
        path = config if config is not None else pretrained_model_name_or_path
        if _read(path, subfolder) is None:
            return _missing(path, 'the model')
        config, kwargs = cls.config_class.from_pretrained(path, subfolder=subfolder, return_unused_kwargs=True, **kwargs)
    if getattr(config, 'quantization_config', None) is not None:
        return _unknown('a model whose weights are quantized')
    dtype = _dtype_of(dtype if dtype is not None else torch_dtype, config)
    if dtype is None and isinstance(pretrained_model_name_or_path, (str, _os.PathLike)):
        dtype = _dtype_of_weights(pretrained_model_name_or_path, subfolder)
    if dtype is None:
        return _unknown('a model in the type of its weights, which its configuration does not say')
    attention['torch_dtype'] = dtype
    model = cls._from_config(config, *model_args, **attention, **kwargs)
    _keep_float32(model, dtype)
    model.eval()
    if isinstance(device_map, (str, int, _torch.device)) and device_map not in ('auto', 'balanced', 'balanced_low_0', 'sequential'):
        model.to(device_map)
    return (model, _unknown('which weights the files have')) if info else model


_real.PreTrainedModel.from_pretrained = _from_folder
