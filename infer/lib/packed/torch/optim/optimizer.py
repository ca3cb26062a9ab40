# This file defines the optimisers. A step changes values, never types, so only
# the parameter groups and the checks of their settings are kept.
import _shapecheck
import torch
from collections import defaultdict

required = object()


def _use_grad_for_differentiable(func):
    return func


class Optimizer:
    def __init__(self, params, defaults):
        self.defaults = defaults
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

    def add_param_group(self, param_group):
        params = param_group['params']
        if isinstance(params, torch.Tensor):
            params = [params]
        elif isinstance(params, set):
            raise TypeError('optimizer parameters need to be organized in ordered collections, '
                            'but the ordering of tensors in sets will change between runs. Please use a list instead.')
        params = list(params)
        if params and isinstance(params[0], tuple):
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
        pass

    def step(self, closure=None):
        loss = closure() if closure is not None else None
        _shapecheck.stepped(*[g['params'] for g in self.param_groups])
        return loss

    def state_dict(self):
        groups = []
        n = 0
        for g in self.param_groups:
            packed = {k: v for k, v in g.items() if k != 'params'}
            packed['params'] = list(range(n, n + len(g['params'])))
            n += len(g['params'])
            groups.append(packed)
        return {'state': {}, 'param_groups': groups}

    def load_state_dict(self, state_dict):
        pass

    def _hook(self, hook):
        from ..utils.hooks import RemovableHandle
        return RemovableHandle({})

    register_step_pre_hook = _hook
    register_step_post_hook = _hook
    register_state_dict_pre_hook = _hook
    register_state_dict_post_hook = _hook
    register_load_state_dict_pre_hook = _hook
    register_load_state_dict_post_hook = _hook

    def profile_hook_step(func):
        return func


def _check(lr=0.0, betas=None, eps=0.0, weight_decay=0.0, momentum=0.0):
    if not isinstance(lr, torch.Tensor) and lr < 0.0:
        raise ValueError(f'Invalid learning rate: {lr}')
    if eps < 0.0:
        raise ValueError(f'Invalid epsilon value: {eps}')
    if weight_decay < 0.0:
        raise ValueError(f'Invalid weight_decay value: {weight_decay}')
    if momentum < 0.0:
        raise ValueError(f'Invalid momentum value: {momentum}')
    for i, b in enumerate(betas or ()):
        if not 0.0 <= b < 1.0:
            raise ValueError(f'Invalid beta parameter at index {i}: {b}')


class SGD(Optimizer):
    def __init__(self, params, lr=1e-3, momentum=0, dampening=0, weight_decay=0, nesterov=False, *, maximize=False,
                 foreach=None, differentiable=False, fused=None):
        _check(lr, momentum=momentum, weight_decay=weight_decay)
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError('Nesterov momentum requires a momentum and zero dampening')
        super().__init__(params, dict(lr=lr, momentum=momentum, dampening=dampening, weight_decay=weight_decay,
                                      nesterov=nesterov, maximize=maximize, foreach=foreach))


class _AdamLike(Optimizer):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, amsgrad=False, **options):
        _check(lr, betas, eps, weight_decay)
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, amsgrad=amsgrad,
                                      **options))


class Adam(_AdamLike):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, amsgrad=False, *, foreach=None,
                 maximize=False, capturable=False, differentiable=False, fused=None, decoupled_weight_decay=False):
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad)


class AdamW(_AdamLike):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=1e-2, amsgrad=False, *,
                 maximize=False, foreach=None, capturable=False, differentiable=False, fused=None):
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad)


class Adamax(_AdamLike):
    def __init__(self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, foreach=None, **options):
        super().__init__(params, lr, betas, eps, weight_decay)


class NAdam(_AdamLike):
    def __init__(self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, momentum_decay=4e-3, **options):
        super().__init__(params, lr, betas, eps, weight_decay, momentum_decay=momentum_decay)


class RAdam(_AdamLike):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, **options):
        super().__init__(params, lr, betas, eps, weight_decay)


class SparseAdam(Optimizer):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, maximize=False):
        _check(lr, betas, eps)
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, maximize=maximize))


class Adagrad(Optimizer):
    def __init__(self, params, lr=1e-2, lr_decay=0, weight_decay=0, initial_accumulator_value=0, eps=1e-10, **options):
        _check(lr, eps=eps, weight_decay=weight_decay)
        super().__init__(params, dict(lr=lr, lr_decay=lr_decay, eps=eps, weight_decay=weight_decay,
                                      initial_accumulator_value=initial_accumulator_value))


class Adadelta(Optimizer):
    def __init__(self, params, lr=1.0, rho=0.9, eps=1e-6, weight_decay=0, foreach=None, **options):
        _check(lr, eps=eps, weight_decay=weight_decay)
        super().__init__(params, dict(lr=lr, rho=rho, eps=eps, weight_decay=weight_decay))


class Adafactor(Optimizer):
    def __init__(self, params, lr=1e-2, beta2_decay=-0.8, eps=(None, 1e-3), d=1.0, weight_decay=0.0, **options):
        _check(lr, weight_decay=weight_decay)
        super().__init__(params, dict(lr=lr, beta2_decay=beta2_decay, eps=eps, d=d, weight_decay=weight_decay))


class ASGD(Optimizer):
    def __init__(self, params, lr=1e-2, lambd=1e-4, alpha=0.75, t0=1e6, weight_decay=0, **options):
        _check(lr, weight_decay=weight_decay)
        super().__init__(params, dict(lr=lr, lambd=lambd, alpha=alpha, t0=t0, weight_decay=weight_decay))


class RMSprop(Optimizer):
    def __init__(self, params, lr=1e-2, alpha=0.99, eps=1e-8, weight_decay=0, momentum=0, centered=False, **options):
        _check(lr, eps=eps, weight_decay=weight_decay, momentum=momentum)
        super().__init__(params, dict(lr=lr, alpha=alpha, eps=eps, weight_decay=weight_decay, momentum=momentum,
                                      centered=centered))


class Rprop(Optimizer):
    def __init__(self, params, lr=1e-2, etas=(0.5, 1.2), step_sizes=(1e-6, 50), **options):
        _check(lr)
        super().__init__(params, dict(lr=lr, etas=etas, step_sizes=step_sizes))


class LBFGS(Optimizer):
    def __init__(self, params, lr=1, max_iter=20, max_eval=None, tolerance_grad=1e-7, tolerance_change=1e-9,
                 history_size=100, line_search_fn=None):
        super().__init__(params, dict(lr=lr, max_iter=max_iter, history_size=history_size,
                                      line_search_fn=line_search_fn))

    def step(self, closure):
        return closure()
