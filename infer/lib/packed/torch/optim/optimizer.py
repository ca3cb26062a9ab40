# This file defines the optimisers. A step changes values, never types: it makes the state of each parameter that has a
# gradient, with the keys that PyTorch 2.15 gives it, and runs the hooks.
import _shapecheck
import copy
import functools
import torch
import warnings
from collections import OrderedDict, defaultdict
from ..utils.hooks import RemovableHandle

required = object()

_global_optimizer_pre_hooks = OrderedDict()
_global_optimizer_post_hooks = OrderedDict()

_HOOK_TABLES = ('_optimizer_step_pre_hooks', '_optimizer_step_post_hooks', '_optimizer_state_dict_pre_hooks',
                '_optimizer_state_dict_post_hooks', '_optimizer_load_state_dict_pre_hooks',
                '_optimizer_load_state_dict_post_hooks')


def _use_grad_for_differentiable(func):
    return func


def _hooked(table, hook, prepend=False):
    handle = RemovableHandle(table)
    table[handle.id] = hook
    if prepend:
        table.move_to_end(handle.id, last=False)
    return handle


def register_optimizer_step_pre_hook(hook):
    return _hooked(_global_optimizer_pre_hooks, hook)


def register_optimizer_step_post_hook(hook):
    return _hooked(_global_optimizer_post_hooks, hook)


def _with_hooks(func):
    """Has a method step run the hooks before and after it."""

    @functools.wraps(func)
    def step(*args, **kwargs):
        self = args[0]
        for hook in list(_global_optimizer_pre_hooks.values()) + list(self._optimizer_step_pre_hooks.values()):
            given = hook(self, args, kwargs)
            if given is not None:
                if not isinstance(given, tuple) or len(given) != 2:
                    raise RuntimeError(f'{func} must return None or a tuple of (new_args, new_kwargs), but got {given}.')
                args, kwargs = given
        out = func(*args, **kwargs)
        for hook in list(self._optimizer_step_post_hooks.values()) + list(_global_optimizer_post_hooks.values()):
            hook(self, args, kwargs)
        return out

    step.hooked = True
    return step


def _number(like, value=0.0):
    """The tensor of one number that counts steps; what it is after a step is not followed."""
    dtype = torch.float64 if torch.get_default_dtype() == torch.float64 else torch.float32
    return _plain(torch.full((), value, dtype=dtype))


def _plain(t, shape=None):
    out = torch._stand_in(t, what='the state of an optimizer') if shape is None else torch._stand_in(
        torch.zeros(shape, dtype=t.dtype, device=t.device), what='the state of an optimizer')
    _shapecheck.is_gradient((out,), (), False)
    return out


class Optimizer:
    def __init__(self, params, defaults):
        self.defaults = defaults
        for table in _HOOK_TABLES:
            setattr(self, table, OrderedDict())
        self._patch_step_function()
        if isinstance(params, torch.Tensor):
            raise TypeError('params argument given to the optimizer should be an iterable of Tensors or dicts, '
                            'but got ' + torch.typename(params))
        self.state = defaultdict(dict)
        self.param_groups = []
        groups = list(params)
        if len(groups) == 0:
            raise ValueError('optimizer got an empty parameter list')
        if not isinstance(groups[0], dict):
            groups = [{'params': groups}]
        for group in groups:
            self.add_param_group(dict(group))

    def __getstate__(self):  # so a copy has not the step that a scheduler watches
        return {'defaults': self.defaults, 'state': self.state, 'param_groups': self.param_groups}

    def __setstate__(self, state):
        self.__dict__.update(state)
        for table in _HOOK_TABLES:
            if table not in self.__dict__:
                setattr(self, table, OrderedDict())
        self._patch_step_function()
        self.defaults.setdefault('differentiable', False)

    def __repr__(self):
        lines = []
        for i, group in enumerate(self.param_groups):
            lines.append(f'Parameter Group {i}')
            lines.extend([f'    {key}: {group[key]}' for key in sorted(group) if key != 'params'])
        return type(self).__name__ + ' (\n' + '\n'.join(lines) + '\n)'

    def _patch_step_function(self):
        self._zero_grad_profile_name = f'Optimizer.zero_grad#{self.__class__.__name__}.zero_grad'
        step = self.__class__.step
        if not getattr(step, 'hooked', None):
            self.__class__.step = self.profile_hook_step(step)

    profile_hook_step = staticmethod(_with_hooks)

    def _optimizer_step_code(self):
        pass

    def add_param_group(self, param_group):
        if not isinstance(param_group, dict):
            raise TypeError(f'param_group must be a dict, but got {type(param_group)}')
        params = param_group['params']
        if isinstance(params, torch.Tensor):
            params = [params]
        elif isinstance(params, set):
            raise TypeError('optimizer parameters need to be organized in ordered collections, '
                            'but the ordering of tensors in sets will change between runs. Please use a list instead.')
        params = list(params)
        if params and isinstance(params[0], tuple):
            param_group['param_names'] = [name for name, _ in params]
            params = [p for _, p in params]
        for p in params:
            if not isinstance(p, torch.Tensor):
                raise TypeError('optimizer can only optimize Tensors, but one of the params is ' + torch.typename(p))
        param_group['params'] = params
        for name, default in self.defaults.items():
            if default is required and name not in param_group:
                raise ValueError(f'parameter group didn\'t specify a value of required optimization parameter {name}')
            param_group.setdefault(name, default)
        for group in self.param_groups:
            for p in group['params']:
                if any([p is q for q in params]):
                    raise ValueError('some parameters appear in more than one parameter group')
        self.param_groups.append(param_group)

    def zero_grad(self, set_to_none=True):
        if set_to_none:
            for group in self.param_groups:
                _shapecheck.gradients_dropped(group['params'])

    @_with_hooks
    def step(self, closure=None):
        loss = _evaluated(closure)
        _shapecheck.stepped(*[g['params'] for g in self.param_groups])
        if type(self)._new_state is not Optimizer._new_state and not _shapecheck.is_unknown(self.state):
            for group in self.param_groups:
                params = _shapecheck.with_gradient(group['params'], self.state)
                if _shapecheck.is_unknown(params):
                    self.state = params
                    break
                for p in params:
                    state = self._new_state(p, group)
                    if state:
                        self.state[p].update(state)
        return loss

    def _new_state(self, p, group):
        return {}

    def state_dict(self):
        for hook in self._optimizer_state_dict_pre_hooks.values():
            hook(self)
        groups = []
        numbers = {}
        for g in self.param_groups:
            packed = {k: v for k, v in g.items() if k != 'params'}
            for p in g['params']:
                numbers.setdefault(id(p), len(numbers))
            packed['params'] = [numbers[id(p)] for p in g['params']]
            groups.append(packed)
        state = self.state
        if not _shapecheck.is_unknown(state):
            state = {(numbers[id(k)] if isinstance(k, torch.Tensor) else k): v for k, v in state.items()}
        packed = {'state': state, 'param_groups': groups}
        for hook in self._optimizer_state_dict_post_hooks.values():
            given = hook(self, packed)
            if given is not None:
                packed = given
        return packed

    def load_state_dict(self, state_dict):
        if _shapecheck.is_unknown(state_dict):
            self.state = _shapecheck.unknown('load_state_dict() of a file')
            return
        state_dict = state_dict.copy()
        for hook in self._optimizer_load_state_dict_pre_hooks.values():
            given = hook(self, state_dict)
            if given is not None:
                state_dict = given
        saved = state_dict['param_groups']
        loaded = state_dict['state']
        if _shapecheck.is_unknown(saved):
            self.state = _shapecheck.unknown('load_state_dict() of a file')
            return
        saved = copy.deepcopy(saved)
        if len(self.param_groups) != len(saved):
            raise ValueError('loaded state dict has a different number of parameter groups')
        params = {}
        for group, other in zip(self.param_groups, saved):
            if len(group['params']) != len(other['params']):
                raise ValueError("loaded state dict contains a parameter group that doesn't match the size of optimizer's group")
            for p, i in zip(group['params'], other['params']):
                params[i] = p
        state = loaded
        if not _shapecheck.is_unknown(loaded):
            state = defaultdict(dict)
            for k, v in loaded.items():
                if k in params:
                    state[params[k]] = _cast(params[k], v)
                else:
                    state[k] = v
        for group, other in zip(self.param_groups, saved):
            other['params'] = group['params']
            if 'param_names' in group and 'param_names' not in other:
                other['param_names'] = group['param_names']
        self.__setstate__({'state': state, 'param_groups': saved})
        for hook in self._optimizer_load_state_dict_post_hooks.values():
            hook(self)

    def register_step_pre_hook(self, hook):
        return _hooked(self._optimizer_step_pre_hooks, hook)

    def register_step_post_hook(self, hook):
        return _hooked(self._optimizer_step_post_hooks, hook)

    def register_state_dict_pre_hook(self, hook, prepend=False):
        return _hooked(self._optimizer_state_dict_pre_hooks, hook, prepend)

    def register_state_dict_post_hook(self, hook, prepend=False):
        return _hooked(self._optimizer_state_dict_post_hooks, hook, prepend)

    def register_load_state_dict_pre_hook(self, hook, prepend=False):
        return _hooked(self._optimizer_load_state_dict_pre_hooks, hook, prepend)

    def register_load_state_dict_post_hook(self, hook, prepend=False):
        return _hooked(self._optimizer_load_state_dict_post_hooks, hook, prepend)


def _evaluated(closure):
    if closure is None:
        return None
    with torch.enable_grad():
        return closure()


def _cast(param, value, key=None):
    """A loaded state has the dtype of its parameter, but for the number of steps."""
    if isinstance(value, torch.Tensor):
        if key == 'step':
            return value
        return value.to(param.device, param.dtype) if param.is_floating_point() else value.to(param.device)
    if isinstance(value, dict):
        return {k: _cast(param, v, k) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)([_cast(param, v) for v in value])
    return value


def _check(lr=0.0, betas=None, eps=0.0, weight_decay=0.0, momentum=0.0, **others):
    if isinstance(lr, torch.Tensor):
        if lr.numel() != 1:
            raise ValueError('Tensor lr must be 1-element')
    elif lr < 0.0:
        raise ValueError(f'Invalid learning rate: {lr}')
    if eps < 0.0:
        raise ValueError(f'Invalid epsilon value: {eps}')
    if not isinstance(weight_decay, torch.Tensor) and weight_decay < 0.0:
        raise ValueError(f'Invalid weight_decay value: {weight_decay}')
    if momentum < 0.0:
        raise ValueError(f'Invalid momentum value: {momentum}')
    for i, b in enumerate(betas or ()):
        if isinstance(b, torch.Tensor):
            if b.numel() != 1:
                raise ValueError(f'Tensor betas[{i}] must be 1-element')
        elif not 0.0 <= b < 1.0:
            raise ValueError(f'Invalid beta parameter at index {i}: {b}')
    for name, value in others.items():
        if value < 0.0:
            raise ValueError(f'Invalid {name} value: {value}')


def _check_kernels(foreach, differentiable, fused):
    if fused:
        if differentiable:
            raise RuntimeError('`fused` does not support `differentiable`')
        if foreach:
            raise RuntimeError('`fused` and `foreach` cannot be `True` together.')


class SGD(Optimizer):
    def __init__(self, params, lr=1e-3, momentum=0, dampening=0, weight_decay=0, nesterov=False, *, maximize=False,
                 foreach=None, differentiable=False, fused=None):
        _check(lr, momentum=momentum, weight_decay=weight_decay)
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError('Nesterov momentum requires a momentum and zero dampening')
        super().__init__(params, dict(lr=lr, momentum=momentum, dampening=dampening, weight_decay=weight_decay, nesterov=nesterov,
                                      maximize=maximize, foreach=foreach, differentiable=differentiable, fused=fused))
        _check_kernels(foreach, differentiable, fused)

    def _new_state(self, p, group):
        return {'momentum_buffer': _plain(p)} if group['momentum'] != 0 else {}


class Adam(Optimizer):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, amsgrad=False, *, foreach=None,
                 maximize=False, capturable=False, differentiable=False, fused=None, decoupled_weight_decay=False):
        if isinstance(lr, torch.Tensor) and foreach and not capturable:
            raise ValueError('lr as a Tensor is not supported for capturable=False and foreach=True')
        _check(lr, betas, eps, weight_decay)
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, amsgrad=amsgrad, maximize=maximize,
                                      foreach=foreach, capturable=capturable, differentiable=differentiable, fused=fused,
                                      decoupled_weight_decay=decoupled_weight_decay))
        _check_kernels(foreach, differentiable, fused)

    def _new_state(self, p, group):
        state = {'step': _number(p), 'exp_avg': _plain(p), 'exp_avg_sq': _plain(p)}
        if group['amsgrad']:
            state['max_exp_avg_sq'] = _plain(p)
        return state


class AdamW(Adam):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=1e-2, amsgrad=False, *,
                 maximize=False, foreach=None, capturable=False, differentiable=False, fused=None):
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, foreach=foreach, maximize=maximize, capturable=capturable,
                         differentiable=differentiable, fused=fused, decoupled_weight_decay=True)


class Adamax(Optimizer):
    def __init__(self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, foreach=None, *, maximize=False,
                 differentiable=False, capturable=False):
        _check(lr, betas, eps, weight_decay)
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, foreach=foreach, maximize=maximize,
                                      differentiable=differentiable, capturable=capturable))

    def _new_state(self, p, group):
        return {'step': _number(p), 'exp_avg': _plain(p), 'exp_inf': _plain(p)}


class NAdam(Optimizer):
    def __init__(self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, momentum_decay=4e-3,
                 decoupled_weight_decay=False, *, foreach=None, maximize=False, capturable=False, differentiable=False):
        _check(lr, betas, eps, weight_decay, momentum_decay=momentum_decay)
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, momentum_decay=momentum_decay,
                                      decoupled_weight_decay=decoupled_weight_decay, maximize=maximize, foreach=foreach,
                                      capturable=capturable, differentiable=differentiable))

    def _new_state(self, p, group):
        return {'step': _number(p), 'mu_product': _number(p), 'exp_avg': _plain(p), 'exp_avg_sq': _plain(p)}


class RAdam(Optimizer):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, decoupled_weight_decay=False, *,
                 foreach=None, maximize=False, capturable=False, differentiable=False):
        _check(lr, betas, eps, weight_decay)
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, maximize=maximize, foreach=foreach,
                                      capturable=capturable, decoupled_weight_decay=decoupled_weight_decay,
                                      differentiable=differentiable))

    def _new_state(self, p, group):
        return {'step': _number(p), 'exp_avg': _plain(p), 'exp_avg_sq': _plain(p)}


class SparseAdam(Optimizer):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, maximize=False):
        if not isinstance(lr, torch.Tensor) and lr == 0.0:
            raise ValueError(f'Invalid learning rate: {lr}')
        if eps == 0.0:
            raise ValueError(f'Invalid epsilon value: {eps}')
        _check(lr, betas, eps)
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, maximize=maximize))
        sparse = [i for g in self.param_groups for i, p in enumerate(g['params']) if p.is_sparse]
        if sparse:
            raise ValueError(f'Sparse params at indices {sparse}: SparseAdam requires dense parameter tensors')

    def _new_state(self, p, group):
        return {'step': _shapecheck.unknown('the number of steps'), 'exp_avg': _plain(p), 'exp_avg_sq': _plain(p)}


class Adagrad(Optimizer):
    def __init__(self, params, lr=1e-2, lr_decay=0, weight_decay=0, initial_accumulator_value=0, eps=1e-10, foreach=None, *,
                 maximize=False, differentiable=False, fused=None):
        _check(lr, eps=eps, weight_decay=weight_decay, lr_decay=lr_decay, initial_accumulator_value=initial_accumulator_value)
        super().__init__(params, dict(lr=lr, lr_decay=lr_decay, eps=eps, weight_decay=weight_decay,
                                      initial_accumulator_value=initial_accumulator_value, foreach=foreach, maximize=maximize,
                                      differentiable=differentiable, fused=fused))
        _check_kernels(foreach, differentiable, fused)
        for group in self.param_groups:
            for p in group['params']:
                self.state[p].update({'step': _number(p), 'sum': _plain(p)})

    def share_memory(self):
        pass


class Adadelta(Optimizer):
    def __init__(self, params, lr=1.0, rho=0.9, eps=1e-6, weight_decay=0, foreach=None, *, capturable=False, maximize=False,
                 differentiable=False):
        _check(lr, eps=eps, weight_decay=weight_decay)
        if not 0.0 <= rho <= 1.0:
            raise ValueError(f'Invalid rho value: {rho}')
        super().__init__(params, dict(lr=lr, rho=rho, eps=eps, weight_decay=weight_decay, maximize=maximize, capturable=capturable,
                                      foreach=foreach, differentiable=differentiable))

    def _new_state(self, p, group):
        return {'step': _number(p), 'square_avg': _plain(p), 'acc_delta': _plain(p)}


class Adafactor(Optimizer):
    def __init__(self, params, lr=1e-2, beta2_decay=-0.8, eps=(None, 1e-3), d=1.0, weight_decay=0.0, *, foreach=None,
                 maximize=False):
        _check(lr, weight_decay=weight_decay)
        super().__init__(params, dict(lr=lr, beta2_decay=beta2_decay, eps=eps, d=d, weight_decay=weight_decay, foreach=foreach,
                                      maximize=maximize))

    def _new_state(self, p, group):
        if p.dim() <= 1:
            return {'step': _number(p), 'variance': _plain(p)}
        shape = tuple(p.shape)
        return {'step': _number(p), 'row_var': _plain(p, shape[:-1] + (1,)), 'col_var': _plain(p, shape[:-2] + (1, shape[-1]))}


class Muon(Optimizer):
    def __init__(self, params, lr=1e-3, weight_decay=0.1, momentum=0.95, nesterov=True, ns_coefficients=(3.4445, -4.775, 2.0315),
                 eps=1e-7, ns_steps=5, adjust_lr_fn=None):
        _check(lr, weight_decay=weight_decay, momentum=momentum)
        if adjust_lr_fn is not None and adjust_lr_fn not in ('original', 'match_rms_adamw'):
            raise ValueError(f'Adjust learning rate function {adjust_lr_fn} is not supported')
        super().__init__(params, dict(lr=lr, weight_decay=weight_decay, momentum=momentum, nesterov=nesterov,
                                      ns_coefficients=ns_coefficients, eps=eps, ns_steps=ns_steps, adjust_lr_fn=adjust_lr_fn))
        for group in self.param_groups:
            for p in group['params']:
                if p.ndim != 2:
                    raise ValueError(f'Muon only supports 2D parameters whereas we found a parameter with size: {p.size()}')

    def _new_state(self, p, group):
        return {'momentum_buffer': _plain(p)}


class ASGD(Optimizer):
    def __init__(self, params, lr=1e-2, lambd=1e-4, alpha=0.75, t0=1e6, weight_decay=0, foreach=None, maximize=False,
                 differentiable=False, capturable=False):
        _check(lr, weight_decay=weight_decay, lambd=lambd, alpha=alpha)
        super().__init__(params, dict(lr=lr, lambd=lambd, alpha=alpha, t0=t0, weight_decay=weight_decay, foreach=foreach,
                                      maximize=maximize, differentiable=differentiable, capturable=capturable))

    def _new_state(self, p, group):
        return {'step': _number(p), 'eta': _number(p), 'mu': _number(p), 'ax': _plain(p)}


class RMSprop(Optimizer):
    def __init__(self, params, lr=1e-2, alpha=0.99, eps=1e-8, weight_decay=0, momentum=0, centered=False, capturable=False,
                 foreach=None, maximize=False, differentiable=False):
        _check(lr, eps=eps, weight_decay=weight_decay, momentum=momentum, alpha=alpha)
        super().__init__(params, dict(lr=lr, momentum=momentum, alpha=alpha, eps=eps, centered=centered, weight_decay=weight_decay,
                                      capturable=capturable, foreach=foreach, maximize=maximize, differentiable=differentiable))

    def _new_state(self, p, group):
        state = {'step': _number(p), 'square_avg': _plain(p)}
        if group['momentum'] > 0:
            state['momentum_buffer'] = _plain(p)
        if group['centered']:
            state['grad_avg'] = _plain(p)
        return state


class Rprop(Optimizer):
    def __init__(self, params, lr=1e-2, etas=(0.5, 1.2), step_sizes=(1e-6, 50), *, capturable=False, foreach=None,
                 maximize=False, differentiable=False):
        _check(lr)
        if not 0.0 < etas[0] < 1.0 < etas[1]:
            raise ValueError(f'Invalid eta values: {etas[0]}, {etas[1]}')
        super().__init__(params, dict(lr=lr, etas=etas, step_sizes=step_sizes, foreach=foreach, maximize=maximize,
                                      differentiable=differentiable, capturable=capturable))

    def _new_state(self, p, group):
        return {'step': _number(p), 'prev': _plain(p), 'step_size': _plain(p)}


class LBFGS(Optimizer):
    def __init__(self, params, lr=1, max_iter=20, max_eval=None, tolerance_grad=1e-7, tolerance_change=1e-9,
                 history_size=100, line_search_fn=None, *, maximize=False):
        _check(lr)
        if max_eval is None:
            max_eval = max_iter * 5 // 4
        super().__init__(params, dict(lr=lr, max_iter=max_iter, max_eval=max_eval, tolerance_grad=tolerance_grad,
                                      tolerance_change=tolerance_change, history_size=history_size,
                                      line_search_fn=line_search_fn, maximize=maximize))
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")
        self._params = self.param_groups[0]['params']

    @_with_hooks
    def step(self, closure):
        loss = _evaluated(closure)
        _shapecheck.stepped(self._params)
        if not _shapecheck.is_unknown(self.state):
            self.state[self._params[0]] = _shapecheck.unknown('how many iterations LBFGS makes')
        return loss
