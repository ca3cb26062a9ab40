# This file defines the mixin of modules whose parameters get their sizes from
# the first input.
from ..parameter import is_lazy


class LazyModuleMixin:
    cls_to_become = None

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self._load_hook = self._register_load_state_dict_pre_hook(self._lazy_load_hook)
        self._initialize_hook = self.register_forward_pre_hook(self._infer_parameters)

    def _save_to_state_dict(self, destination, prefix, keep_vars):
        for name, t in list(self._parameters.items()) + list(self._buffers.items()):
            if t is not None and name not in self._non_persistent_buffers_set:
                destination[prefix + name] = t if keep_vars or is_lazy(t) else t.detach()

    def _lazy_load_hook(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs):
        for name, t in list(self._parameters.items()) + list(self._buffers.items()):
            given = state_dict.get(prefix + name)
            if is_lazy(t) and given is not None and not is_lazy(given):
                t.materialize(given.shape)

    def initialize_parameters(self, *args, **kwargs):
        raise NotImplementedError(f'initialize_parameters is not implemented for {type(self).__name__}')

    def has_uninitialized_params(self):
        for t in list(self._parameters.values()) + list(self._buffers.values()):
            if is_lazy(t):
                return True
        return False

    def _infer_parameters(self, module, args, kwargs=None):
        module.initialize_parameters(*args, **(kwargs or {}))
        if module.has_uninitialized_params():
            raise RuntimeError(f'module {self._get_name()} has not been fully initialized')
        module._initialize_hook.remove()
        module._load_hook.remove()
        del module._initialize_hook
        del module._load_hook
        if module.cls_to_become is not None:
            module.__class__ = module.cls_to_become

    def _replicate_for_data_parallel(self):
        raise RuntimeError("Modules with uninitialized parameters can't be used with `DataParallel`. "
                           'Run a dummy forward pass to correctly initialize the modules')
