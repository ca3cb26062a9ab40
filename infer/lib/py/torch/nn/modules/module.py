# This file defines Module, the base of all layers. Attribute access and calls
# are native; what walks the tree of modules is Python.
#
# Walks give iterators over lists that have the type of PyTorch's generators: a list is
# cheaper to make here.
import _shapecheck
import torch
from collections import OrderedDict, namedtuple

_EXTRA_STATE_KEY_SUFFIX = '_extra_state'

_IncompatibleKeys = namedtuple('_IncompatibleKeys', ['missing_keys', 'unexpected_keys'])


class Module:
    """Base class of all neural network modules."""

    dump_patches = False
    call_super_init = False
    _version = 1
    training: bool

    def __init__(self, *args, **kwargs):
        _shapecheck.module_init(self, args, kwargs)
        if self.call_super_init:
            super().__init__(*args, **kwargs)

    __setattr__ = _shapecheck.module_setattr
    __getattr__ = _shapecheck.module_getattr
    __delattr__ = _shapecheck.module_delattr
    __call__ = _shapecheck.module_call

    def forward(self, *input):
        raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "forward" function')

    def _check_name(self, what, name, table):
        if not isinstance(name, str):
            raise TypeError(f'{what} name should be a string. Got {torch.typename(name)}')
        if '.' in name:
            raise KeyError(f'{what} name can\'t contain "."')
        if name == '':
            raise KeyError(f'{what} name can\'t be empty string ""')
        if name not in table and hasattr(self, name):
            raise KeyError(f"attribute '{name}' already exists")

    def register_buffer(self, name, tensor, persistent=True):
        if '_buffers' not in self.__dict__:
            raise AttributeError('cannot assign buffer before Module.__init__() call')
        self._check_name('buffer', name, self._buffers)
        if tensor is not None and not isinstance(tensor, torch.Tensor):
            raise TypeError(f"cannot assign '{torch.typename(tensor)}' object to buffer '{name}' (torch Tensor or None required)")
        self._buffers[name] = tensor
        if persistent:
            self._non_persistent_buffers_set.discard(name)
        else:
            self._non_persistent_buffers_set.add(name)

    def register_parameter(self, name, param):
        if '_parameters' not in self.__dict__:
            raise AttributeError('cannot assign parameter before Module.__init__() call')
        self._check_name('parameter', name, self._parameters)
        if param is not None and not isinstance(param, torch.nn.Parameter):
            raise TypeError(f"cannot assign '{torch.typename(param)}' object to parameter '{name}' (torch.nn.Parameter or None required)")
        self._parameters[name] = param

    def add_module(self, name, module):
        if module is not None and not isinstance(module, Module):
            raise TypeError(f'{torch.typename(module)} is not a Module subclass')
        self._check_name('module', name, self._modules)
        self._modules[name] = module

    def register_module(self, name, module):
        self.add_module(name, module)

    def get_submodule(self, target):
        mod = self
        if target == '':
            return mod
        for item in target.split('.'):
            if not hasattr(mod, item):
                raise AttributeError(f'{mod._get_name()} has no attribute `{item}`')
            mod = getattr(mod, item)
            if not isinstance(mod, Module):
                raise AttributeError(f'`{item}` is not an nn.Module')
        return mod

    def set_submodule(self, target, module, strict=False):
        if target == '':
            raise ValueError('Cannot set the submodule without a target name!')
        parent, _, name = target.rpartition('.')
        setattr(self.get_submodule(parent), name, module)

    def get_parameter(self, target):
        path, _, name = target.rpartition('.')
        mod = self.get_submodule(path)
        if not hasattr(mod, name):
            raise AttributeError(f'{mod._get_name()} has no attribute `{name}`')
        param = getattr(mod, name)
        if not isinstance(param, torch.nn.Parameter):
            raise AttributeError(f'`{name}` is not an nn.Parameter')
        return param

    def get_buffer(self, target):
        path, _, name = target.rpartition('.')
        mod = self.get_submodule(path)
        if not hasattr(mod, name):
            raise AttributeError(f'{mod._get_name()} has no attribute `{name}`')
        if name not in mod._buffers:
            raise AttributeError(f'`{name}` is not a buffer')
        return mod._buffers[name]

    # Walks over the tree.

    def named_modules(self, memo=None, prefix='', remove_duplicate=True):
        found = _shapecheck.module_walk(self, prefix, remove_duplicate)
        if memo is not None:
            found = [(name, m) for name, m in found if m not in memo]
            memo.update([m for _, m in found])
        return _shapecheck.generator(iter(_shapecheck.module_seen(self, found, True)))

    def modules(self):
        return _shapecheck.generator(iter([m for _, m in self.named_modules()]))

    def named_children(self):
        return _shapecheck.generator(iter(_shapecheck.module_seen(self, _shapecheck.module_children(self), False)))

    def children(self):
        return _shapecheck.generator(iter([m for _, m in self.named_children()]))

    # What is known of them.
    def _known_children(self):
        return [m for _, m in _shapecheck.module_children(self)]

    def _known(self, table):
        return [t for _, t in _shapecheck.module_members(self, '', True, table, True)]

    def _named_members(self, get_members_fn, prefix='', recurse=True, remove_duplicate=True):
        memo = set()
        out = []
        modules = self.named_modules(prefix=prefix, remove_duplicate=remove_duplicate) if recurse else [(prefix, self)]
        for path, module in modules:
            if path:
                path += '.'
            for name, v in get_members_fn(module):
                if v is None or v in memo:
                    continue
                if remove_duplicate:
                    memo.add(v)
                out.append((path + name, v))
        return _shapecheck.generator(iter(out))

    def named_parameters(self, prefix='', recurse=True, remove_duplicate=True):
        found = _shapecheck.module_members(self, prefix, remove_duplicate, '_parameters', recurse)
        return _shapecheck.generator(iter(_shapecheck.module_seen(self, found, recurse)))

    def parameters(self, recurse=True):
        return _shapecheck.generator(iter([p for _, p in self.named_parameters(recurse=recurse)]))

    def named_buffers(self, prefix='', recurse=True, remove_duplicate=True):
        found = _shapecheck.module_members(self, prefix, remove_duplicate, '_buffers', recurse)
        return _shapecheck.generator(iter(_shapecheck.module_seen(self, found, recurse)))

    def buffers(self, recurse=True):
        return _shapecheck.generator(iter([b for _, b in self.named_buffers(recurse=recurse)]))

    def apply(self, fn):
        for module in self._known_children():
            module.apply(fn)
        fn(self)
        return self

    def train(self, mode=True):
        if not isinstance(mode, bool):
            raise ValueError('training mode is expected to be boolean')
        self.training = mode
        for module in self._known_children():
            module.train(mode)
        return self

    def eval(self):
        return self.train(False)

    def requires_grad_(self, requires_grad=True):
        for p in self._known('_parameters'):
            p.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none=True):
        if set_to_none:
            _shapecheck.gradients_dropped(self._known('_parameters'))

    # Conversions.

    def _apply(self, fn, recurse=True):
        if recurse:
            for module in self._known_children():
                module._apply(fn)
        for param in self._parameters.values():
            if param is not None:
                param.data = fn(param)
        for key, buf in self._buffers.items():
            if buf is not None:
                self._buffers[key] = fn(buf)
        return self

    def to(self, *args, **kwargs):
        device = kwargs.get('device')
        dtype = kwargs.get('dtype')
        other = kwargs.get('tensor')
        for a in args:
            if isinstance(a, torch.dtype):
                dtype = a
            elif isinstance(a, torch.Tensor):
                other = a
            elif not isinstance(a, bool) and a is not None:
                device = a
        if other is not None:
            device, dtype = other.device, other.dtype
        if dtype is None:
            if device is None:
                return self
            return self._apply(lambda t: t.to(device))
        if not (dtype.is_floating_point or dtype.is_complex):
            raise TypeError(f'nn.Module.to only accepts floating point or complex dtypes, but got desired dtype={dtype}')
        if device is None:
            return self._apply(lambda t: t.to(dtype) if t.is_floating_point() or t.is_complex() else t)
        return self._apply(lambda t: t.to(device, dtype) if t.is_floating_point() or t.is_complex() else t.to(device))

    def to_empty(self, *, device, recurse=True):
        return self._apply(lambda t: t.to(device), recurse)

    def cuda(self, device=None):
        return self._apply(lambda t: t.cuda(device))

    def cpu(self):
        return self._apply(lambda t: t.cpu())

    def ipu(self, device=None):
        return self._apply(lambda t: t.to('ipu'))

    def xpu(self, device=None):
        return self._apply(lambda t: t.to('xpu'))

    def type(self, dst_type):
        return self._apply(lambda t: t.type(dst_type))

    def float(self):
        return self._apply(lambda t: t.float() if t.is_floating_point() else t)

    def double(self):
        return self._apply(lambda t: t.double() if t.is_floating_point() else t)

    def half(self):
        return self._apply(lambda t: t.half() if t.is_floating_point() else t)

    def bfloat16(self):
        return self._apply(lambda t: t.bfloat16() if t.is_floating_point() else t)

    def share_memory(self):
        return self

    def compile(self, *args, **kwargs):
        if _shapecheck.jit_records():
            object.__setattr__(self, '_compiled_call_impl', torch.compile(self, *args, **kwargs))

    # Hooks.

    def _add_hook(self, table, hook, prepend=False):
        from ...utils.hooks import RemovableHandle
        handle = RemovableHandle(table)
        if prepend:
            rest = dict(table)
            table.clear()
            table[handle.id] = hook
            table.update(rest)
        else:
            table[handle.id] = hook
        return handle

    def register_forward_pre_hook(self, hook, *, prepend=False, with_kwargs=False):
        handle = self._add_hook(self._forward_pre_hooks, hook, prepend)
        if with_kwargs:
            self.__dict__.setdefault('_forward_pre_hooks_with_kwargs', {})[handle.id] = True
        return handle

    def register_forward_hook(self, hook, *, prepend=False, with_kwargs=False, always_call=False):
        handle = self._add_hook(self._forward_hooks, hook, prepend)
        if with_kwargs:
            self.__dict__.setdefault('_forward_hooks_with_kwargs', {})[handle.id] = True
        return handle

    def _add_backward_hook(self, hook, full, prepend=False):
        if self._is_full_backward_hook is not None and self._is_full_backward_hook != full:
            raise RuntimeError('Cannot use both regular backward hooks and full backward hooks on a single Module. '
                               'Please use only one of them.')
        self._is_full_backward_hook = full
        return self._add_hook(self._backward_hooks, hook, prepend)

    def register_backward_hook(self, hook):
        return self._add_backward_hook(hook, False)

    def register_full_backward_hook(self, hook, prepend=False):
        return self._add_backward_hook(hook, True, prepend)

    def register_full_backward_pre_hook(self, hook, prepend=False):
        return self._add_hook(self._backward_pre_hooks, hook, prepend)

    def _register_state_dict_hook(self, hook):
        return self._add_hook(self._state_dict_hooks, hook)

    def register_state_dict_pre_hook(self, hook):
        return self._add_hook(self._state_dict_pre_hooks, hook)

    def register_state_dict_post_hook(self, hook):
        return self._add_hook(self._state_dict_hooks, hook)

    def _register_load_state_dict_pre_hook(self, hook, with_module=False):
        if with_module:
            inner = hook
            hook = lambda *args: inner(self, *args)
        return self._add_hook(self._load_state_dict_pre_hooks, hook)

    def register_load_state_dict_pre_hook(self, hook):
        return self._register_load_state_dict_pre_hook(hook, with_module=True)

    def register_load_state_dict_post_hook(self, hook):
        return self._add_hook(self._load_state_dict_post_hooks, hook)

    # State.

    def get_extra_state(self):
        raise RuntimeError('get_extra_state() is not defined for this module')

    def set_extra_state(self, state):
        raise RuntimeError('set_extra_state() is not defined for this module')

    def _save_to_state_dict(self, destination, prefix, keep_vars):
        for name, param in self._parameters.items():
            if param is not None:
                destination[prefix + name] = param if keep_vars else param.detach()
        skip = self._non_persistent_buffers_set
        for name, buf in self._buffers.items():
            if buf is not None and name not in skip:
                destination[prefix + name] = buf if keep_vars else buf.detach()
        if type(self).get_extra_state is not Module.get_extra_state:
            destination[prefix + _EXTRA_STATE_KEY_SUFFIX] = self.get_extra_state()

    def state_dict(self, *args, destination=None, prefix='', keep_vars=False):
        if args:
            destination = args[0] if destination is None else destination
            prefix = args[1] if len(args) > 1 and prefix == '' else prefix
            keep_vars = args[2] if len(args) > 2 and not keep_vars else keep_vars
        whole = destination is None
        if whole:
            destination = OrderedDict()
            destination._metadata = OrderedDict()
        local_metadata = {'version': self._version}
        if hasattr(destination, '_metadata'):
            destination._metadata[prefix[:-1]] = local_metadata
        for hook in self._state_dict_pre_hooks.values():
            hook(self, prefix, keep_vars)
        self._save_to_state_dict(destination, prefix, keep_vars)
        for name, module in self._modules.items():
            if module is not None:
                module.state_dict(destination=destination, prefix=prefix + name + '.', keep_vars=keep_vars)
        for hook in self._state_dict_hooks.values():
            result = hook(self, destination, prefix, local_metadata)
            if result is not None:
                destination = result
        if whole:
            unseen = _shapecheck.module_unseen(self)
            if _shapecheck.is_unknown(unseen):
                return unseen
        return destination

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs):
        for hook in self._load_state_dict_pre_hooks.values():
            hook(state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)
        local = {k: v for k, v in self._parameters.items() if v is not None}
        for k, v in self._buffers.items():
            if v is not None and k not in self._non_persistent_buffers_set:
                local[k] = v
        for name, param in local.items():
            key = prefix + name
            if key not in state_dict:
                if strict:
                    missing_keys.append(key)
                continue
            given = state_dict[key]
            if _shapecheck.is_unknown(given) or torch.nn.parameter.is_lazy(param):
                _shapecheck.init('unknown', ('load_state_dict() of a file',), param)
                continue
            assign = local_metadata.get('assign_to_params_buffers', False)
            if not assign:
                _shapecheck.init('copy', (given,), param)
            if not isinstance(given, torch.Tensor):
                error_msgs.append(f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like object from checkpoint but received {type(given)}')
            elif given.shape != param.shape and not (param.dim() == 0 and given.dim() == 1):
                error_msgs.append(f'size mismatch for {key}: copying a param with shape {given.shape} from checkpoint, the shape in current model is {param.shape}.')
            elif assign:
                if isinstance(param, torch.nn.Parameter):
                    if isinstance(given, torch.nn.Parameter):
                        given.requires_grad_(param.requires_grad)
                    else:
                        given = torch.nn.Parameter(given, requires_grad=param.requires_grad)
                setattr(self, name, given)
        extra = prefix + _EXTRA_STATE_KEY_SUFFIX
        if type(self).set_extra_state is not Module.set_extra_state:
            if extra in state_dict:
                self.set_extra_state(state_dict[extra])
            elif strict:
                missing_keys.append(extra)
        elif strict and extra in state_dict:
            unexpected_keys.append(extra)
        if strict:
            for key in state_dict:
                if key.startswith(prefix) and key != extra:
                    name = key[len(prefix):].split('.', 1)[0]
                    if name not in self._modules and name not in local:
                        unexpected_keys.append(key)

    def load_state_dict(self, state_dict, strict=True, assign=False):
        missing, unexpected, errors = [], [], []
        incompatible = _IncompatibleKeys(missing, unexpected)
        if _shapecheck.is_unknown(state_dict):
            for tensor in self._known('_parameters') + self._known('_buffers'):
                _shapecheck.init('unknown', ('load_state_dict() of a file',), tensor)
            return incompatible
        metadata = getattr(state_dict, '_metadata', None)
        state_dict = dict(state_dict)
        self._load_tree(state_dict, '', metadata, missing, unexpected, errors, assign)
        if strict:
            if unexpected and not _shapecheck.is_unknown(_shapecheck.module_unseen(self)):
                errors.insert(0, 'Unexpected key(s) in state_dict: {}. '.format(', '.join([f'"{k}"' for k in unexpected])))
            if missing:
                errors.insert(0, 'Missing key(s) in state_dict: {}. '.format(', '.join([f'"{k}"' for k in missing])))
        if errors:
            raise RuntimeError('Error(s) in loading state_dict for {}:\n\t{}'.format(self._get_name(), '\n\t'.join(errors)))
        return incompatible

    def _load_tree(self, state_dict, prefix, metadata, missing, unexpected, errors, assign=False):
        local_metadata = {} if metadata is None else metadata.get(prefix[:-1], {})
        if assign:
            local_metadata['assign_to_params_buffers'] = assign
        self._load_from_state_dict(state_dict, prefix, local_metadata, True, missing, unexpected, errors)
        for name, child in self._modules.items():
            if child is not None:
                path = prefix + name + '.'
                part = {k: v for k, v in state_dict.items() if k.startswith(path)}
                child._load_tree(part, path, metadata, missing, unexpected, errors, assign)
        for hook in self._load_state_dict_post_hooks.values():
            hook(self, _IncompatibleKeys(missing, unexpected))

    def __setstate__(self, state):
        self.__dict__.update(state)

    # Text.

    def _get_name(self):
        return type(self).__name__

    def extra_repr(self):
        return ''

    def __repr__(self):
        extra = self.extra_repr()
        lines = extra.split('\n') if extra else []
        single = len(lines) == 1 and not self._modules
        for name, module in self._modules.items():
            lines.append(f'({name}): ' + repr(module).replace('\n', '\n  '))
        if single:
            return f'{self._get_name()}({extra})'
        if not lines:
            return self._get_name() + '()'
        return self._get_name() + '(\n  ' + '\n  '.join(lines) + '\n)'

    def __dir__(self):
        names = dir(type(self)) + list(self.__dict__) + list(self._parameters) + list(self._modules) + list(self._buffers)
        return sorted([n for n in names if not n[0].isdigit()])

    def _replicate_for_data_parallel(self):
        return self


_global_forward_pre_hooks = {}
_global_forward_hooks = {}
_global_backward_pre_hooks = {}
_global_backward_hooks = {}
_global_is_full = [None]


def _register(table, hook):
    from ...utils.hooks import RemovableHandle
    _shapecheck.global_hooks(_global_forward_pre_hooks, _global_forward_hooks, _global_backward_pre_hooks, _global_backward_hooks)
    handle = RemovableHandle(table)
    table[handle.id] = hook
    return handle


def register_module_forward_pre_hook(hook):
    return _register(_global_forward_pre_hooks, hook)


def register_module_forward_hook(hook, *, with_kwargs=False, always_call=False):
    return _register(_global_forward_hooks, hook)


def register_module_backward_hook(hook):
    return _register_backward(_global_backward_hooks, hook, False)


def register_module_full_backward_hook(hook):
    return _register_backward(_global_backward_hooks, hook, True)


def register_module_full_backward_pre_hook(hook):
    return _register(_global_backward_pre_hooks, hook)


def _register_backward(table, hook, full):
    if table and _global_is_full[0] != full:
        raise RuntimeError('Cannot use both regular backward hooks and full backward hooks as a global Module hook. '
                           'Please use only one of them.')
    _global_is_full[0] = full
    return _register(table, hook)


def _hook_results(module, args, out, begin):
    # Modules are called so where there are backward hooks.
    from ...autograd._hooks import module_hooks
    before = list(_global_backward_pre_hooks.values()) + list(module._backward_pre_hooks.values())
    full, others = [], []
    for table, is_full in ((_global_backward_hooks, _global_is_full[0]), (module._backward_hooks, module._is_full_backward_hook)):
        (others if is_full is False else full).extend(list(table.values()))
    module_hooks(module, before, full, others, args, out, begin)


def register_module_buffer_registration_hook(hook):
    return _register({}, hook)


register_module_module_registration_hook = register_module_buffer_registration_hook
register_module_parameter_registration_hook = register_module_buffer_registration_hook
