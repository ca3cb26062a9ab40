# This file defines the learning-rate schedulers. They decide as PyTorch 2.15 does; a number at the end of a line is the
# line of its lr_scheduler.py at which what the line decides stands there.
import math
import warnings
from bisect import bisect_right
from collections import Counter
from functools import partial
from torch import Tensor, inf
from .optimizer import Optimizer


def _per_group(name, optimizer, param):
    if isinstance(param, (list, tuple)):  #: 60
        if len(param) != len(optimizer.param_groups):  #: 61
            raise ValueError(f'{name} must have the same length as optimizer.param_groups. '
                             f'{name} has {len(param)} values, param_groups has {len(optimizer.param_groups)}.')
    else:
        param = [param] * len(optimizer.param_groups)
    return list(param)


def _values(optimizer, key):
    return [
        group[key].clone() if isinstance(group[key], Tensor) else group[key]  #: 78
        for group in optimizer.param_groups]


def _update(group, key, value):
    if isinstance(group[key], Tensor):  #: 89
        group[key].fill_(value)
    else:
        group[key] = value


def _watch(optimizer):
    # Has the optimizer's steps noted, as a scheduler steps after the optimizer.
    if hasattr(optimizer.step, '_wrapped_by_lr_sched'):  #: 154
        return
    step = optimizer.step

    def wrapper(*args, **kwargs):
        optimizer._opt_called = True
        return step(*args, **kwargs)

    wrapper._wrapped_by_lr_sched = True
    optimizer.step = wrapper


class LRScheduler:
    _get_lr_called_within_step = False
    _is_initial = False

    def __init__(self, optimizer, last_epoch=-1, verbose='deprecated'):
        if not isinstance(optimizer, Optimizer):  #: 125
            raise TypeError(f'{type(optimizer).__name__} is not an Optimizer')
        self.optimizer = optimizer
        if last_epoch == -1:  #: 130
            for group in optimizer.param_groups:  #: 131
                initial_lr = group['lr']
                if isinstance(initial_lr, Tensor):  #: 133
                    initial_lr = initial_lr.clone()
                group.setdefault('initial_lr', initial_lr)
        else:
            for i, group in enumerate(optimizer.param_groups):  #: 137
                if 'initial_lr' not in group:  #: 138
                    raise KeyError(f"param 'initial_lr' is not specified in param_groups[{i}] when resuming scheduler "
                                   'with last_epoch >= 0.')
        self.base_lrs = _values(optimizer, 'initial_lr')
        self.last_epoch = last_epoch
        _watch(optimizer)
        self._initial_step()

    def _initial_step(self):
        self._step_count = 0
        self._is_initial = True
        self.step()
        self._is_initial = False

    def state_dict(self):
        return {k: v for k, v in self.__dict__.items() if k != 'optimizer'}

    def load_state_dict(self, state_dict):
        self.__dict__.update(state_dict)

    def get_last_lr(self):
        return self._last_lr

    def get_lr(self):
        raise NotImplementedError

    def print_lr(self, *args):
        pass

    def step(self, epoch=None):
        if self._step_count == 1:  #: 255
            if not hasattr(self.optimizer.step, '_wrapped_by_lr_sched'):  #: 256
                warnings.warn('Seems like `optimizer.step()` has been overridden after learning rate scheduler initialization.',
                              UserWarning)
            elif not getattr(self.optimizer, '_opt_called', False):  #: 267
                warnings.warn('Detected call of `lr_scheduler.step()` before `optimizer.step()`.', UserWarning)
        self._step_count += 1
        if epoch is not None:  #: 280
            warnings.warn('The epoch parameter in `scheduler.step()` was not necessary and is being deprecated', UserWarning)
        self._update_lr(epoch)

    def _update_lr(self, epoch=None):
        self._get_lr_called_within_step = True
        if epoch is None:  #: 286
            self.last_epoch += 1
            values = self.get_lr()
        else:
            self.last_epoch = epoch
            if hasattr(self, '_get_closed_form_lr'):  #: 291
                values = self._get_closed_form_lr()
            else:
                values = self.get_lr()
        self._get_lr_called_within_step = False
        for group, lr in zip(self.optimizer.param_groups, values):  #: 296
            _update(group, 'lr', lr)
        self._last_lr = _values(self.optimizer, 'lr')


class _LRScheduler(LRScheduler):
    pass


def _in_step(scheduler):
    if not scheduler._get_lr_called_within_step:  #: 305
        warnings.warn('To get the last learning rate computed by the scheduler, please use `get_last_lr()`.', UserWarning)


class LambdaLR(LRScheduler):
    def __init__(self, optimizer, lr_lambda, last_epoch=-1, verbose='deprecated'):
        self.optimizer = optimizer
        if not isinstance(lr_lambda, list) and not isinstance(lr_lambda, tuple):  #: 387
            self.lr_lambdas = [lr_lambda] * len(optimizer.param_groups)
        else:
            if len(lr_lambda) != len(optimizer.param_groups):  #: 390
                raise ValueError(f'Expected {len(optimizer.param_groups)} lr_lambdas, but got {len(lr_lambda)}')
            self.lr_lambdas = list(lr_lambda)
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        _in_step(self)
        return [base_lr * lmbda(self.last_epoch) for lmbda, base_lr in zip(self.lr_lambdas, self.base_lrs)]


class MultiplicativeLR(LRScheduler):
    def __init__(self, optimizer, lr_lambda, last_epoch=-1, verbose='deprecated'):
        self.optimizer = optimizer
        if not isinstance(lr_lambda, list) and not isinstance(lr_lambda, tuple):  #: 502
            self.lr_lambdas = [lr_lambda] * len(optimizer.param_groups)
        else:
            if len(lr_lambda) != len(optimizer.param_groups):  #: 505
                raise ValueError(f'Expected {len(optimizer.param_groups)} lr_lambdas, but got {len(lr_lambda)}')
            self.lr_lambdas = list(lr_lambda)
        for lr_lambda in self.lr_lambdas:  #: 510
            if not callable(lr_lambda):  #: 511
                raise TypeError(f'lr_lambda should be a function, but got {type(lr_lambda).__name__}')
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        _in_step(self)
        if not self._is_initial:  #: 581
            return [group['lr'] * lmbda(self.last_epoch) for lmbda, group in zip(self.lr_lambdas, self.optimizer.param_groups)]
        else:
            return _values(self.optimizer, 'lr')


class StepLR(LRScheduler):
    def __init__(self, optimizer, step_size, gamma=0.1, last_epoch=-1, verbose='deprecated'):
        self.step_size = step_size
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        _in_step(self)
        if (self.last_epoch == 0) or (self.last_epoch % self.step_size != 0):  #: 656
            return _values(self.optimizer, 'lr')
        return [group['lr'] * self.gamma for group in self.optimizer.param_groups]

    def _get_closed_form_lr(self):
        return [base_lr * self.gamma ** (self.last_epoch // self.step_size) for base_lr in self.base_lrs]


class MultiStepLR(LRScheduler):
    def __init__(self, optimizer, milestones, gamma=0.1, last_epoch=-1, verbose='deprecated'):
        self.milestones = Counter(milestones)
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        _in_step(self)
        if self.last_epoch not in self.milestones:  #: 746
            return _values(self.optimizer, 'lr')
        return [group['lr'] * self.gamma ** self.milestones[self.last_epoch] for group in self.optimizer.param_groups]

    def _get_closed_form_lr(self):
        milestones = sorted(self.milestones.elements())
        return [base_lr * self.gamma ** bisect_right(milestones, self.last_epoch) for base_lr in self.base_lrs]


class ConstantLR(LRScheduler):
    def __init__(self, optimizer, factor=1.0 / 3, total_iters=5, last_epoch=-1, verbose='deprecated'):
        if factor > 1.0 or factor < 0:  #: 813
            raise ValueError('Constant multiplicative factor expected to be between 0 and 1.')
        self.factor = factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        _in_step(self)
        if self.last_epoch == 0:  #: 847
            return [group['lr'] * self.factor for group in self.optimizer.param_groups]
        if self.last_epoch != self.total_iters:  #: 850
            return _values(self.optimizer, 'lr')
        return [group['lr'] * (1.0 / self.factor) for group in self.optimizer.param_groups]

    def _get_closed_form_lr(self):
        return [base_lr * (self.factor + (self.last_epoch >= self.total_iters) * (1 - self.factor)) for base_lr in self.base_lrs]


class LinearLR(LRScheduler):
    def __init__(self, optimizer, start_factor=1.0 / 3, end_factor=1.0, total_iters=5, last_epoch=-1, verbose='deprecated'):
        if start_factor > 1.0 or start_factor <= 0:  #: 921
            raise ValueError('Starting multiplicative factor expected to be greater than 0 and less or equal to 1.')
        if end_factor > 1.0 or end_factor < 0:  #: 926
            raise ValueError('Ending multiplicative factor expected to be between 0 and 1.')
        self.start_factor = start_factor
        self.end_factor = end_factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        _in_step(self)
        if self.last_epoch == 0:  #: 961
            return [group['lr'] * self.start_factor for group in self.optimizer.param_groups]
        if self._is_initial or self.last_epoch > self.total_iters:  #: 966
            return _values(self.optimizer, 'lr')
        rise = self.end_factor - self.start_factor
        return [group['lr'] * (1.0 + rise / (self.total_iters * self.start_factor + (self.last_epoch - 1) * rise))
                for group in self.optimizer.param_groups]

    def _get_closed_form_lr(self):
        rise = self.end_factor - self.start_factor
        return [base_lr * (self.start_factor + rise * min(self.total_iters, self.last_epoch) / self.total_iters)
                for base_lr in self.base_lrs]


class ExponentialLR(LRScheduler):
    def __init__(self, optimizer, gamma, last_epoch=-1, verbose='deprecated'):
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        _in_step(self)
        if self._is_initial:  #: 1062
            return _values(self.optimizer, 'lr')
        return [group['lr'] * self.gamma for group in self.optimizer.param_groups]

    def _get_closed_form_lr(self):
        return [base_lr * self.gamma ** self.last_epoch for base_lr in self.base_lrs]


def _of_one_optimizer(name, schedulers, optimizer):
    for i, scheduler in enumerate(schedulers):
        if not hasattr(scheduler, 'optimizer'):
            raise TypeError(f'{name} at index {i} should have `optimizer` as its attribute.')
        if isinstance(scheduler, ReduceLROnPlateau):
            raise ValueError(f'{name} does not support `ReduceLROnPlateau` scheduler as it requires additional kwargs to be '
                             f'specified when calling `step`, but got one at index {i} in the given schedulers sequence.')
        if optimizer != scheduler.optimizer:
            raise ValueError(f'{name} expects all schedulers to belong to the same optimizer, but got scheduler '
                             f'{scheduler.__class__.__name__} at index {i} of another one.')


def _undo(scheduler):
    if hasattr(scheduler, '_schedulers'):  #: 1180
        for s in scheduler._schedulers:  #: 1181
            _undo(s)
    elif hasattr(scheduler, 'last_epoch'):  #: 1183
        scheduler.last_epoch -= 1


class SequentialLR(LRScheduler):
    def __init__(self, optimizer, schedulers, milestones, last_epoch=-1, verbose='deprecated'):
        if len(schedulers) < 1:  #: 1126
            raise ValueError(f'{self.__class__.__name__} expects at least one scheduler, but got no scheduler.')
        _of_one_optimizer(self.__class__.__name__, schedulers, optimizer)
        if len(milestones) != len(schedulers) - 1:  #: 1149
            raise ValueError('Sequential Schedulers expects number of schedulers provided to be one more than the number of '
                             f'milestone points, but got number of schedulers {len(schedulers)} and the number of milestones '
                             f'to be equal to {len(milestones)}')
        self._schedulers = schedulers
        self._milestones = milestones
        self.last_epoch = last_epoch + 1
        self.optimizer = optimizer
        for group in self.optimizer.param_groups:  #: 1161
            _update(group, 'lr', group['initial_lr'])
        for s in self._schedulers:
            _undo(s)
        self.last_epoch = last_epoch + 1
        first = self._schedulers[bisect_right(self._milestones, 0)]
        first._initial_step()
        self._last_lr = first.get_last_lr()

    def step(self):
        self.last_epoch += 1
        idx = bisect_right(self._milestones, self.last_epoch)
        scheduler = self._schedulers[idx]
        if idx > 0 and self._milestones[idx - 1] == self.last_epoch:  #: 1191
            scheduler._update_lr(0)
        else:
            scheduler.step()
        self._last_lr = scheduler.get_last_lr()

    def state_dict(self):
        state = {k: v for k, v in self.__dict__.items() if k not in ('optimizer', '_schedulers')}
        state['_schedulers'] = [s.state_dict() for s in self._schedulers]
        return state

    def load_state_dict(self, state_dict):
        pass


class PolynomialLR(LRScheduler):
    def __init__(self, optimizer, total_iters=5, power=1.0, last_epoch=-1, verbose='deprecated'):
        self.total_iters = total_iters
        self.power = power
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        _in_step(self)
        if self._is_initial or self.last_epoch > self.total_iters:  #: 1306
            return _values(self.optimizer, 'lr')
        decay = ((1.0 - self.last_epoch / self.total_iters) / (1.0 - (self.last_epoch - 1) / self.total_iters)) ** self.power
        return [group['lr'] * decay for group in self.optimizer.param_groups]

    def _get_closed_form_lr(self):
        left = 1.0 - min(self.total_iters, self.last_epoch) / self.total_iters
        return [base_lr * left ** self.power for base_lr in self.base_lrs]


class CosineAnnealingLR(LRScheduler):
    def __init__(self, optimizer, T_max, eta_min=0.0, last_epoch=-1, verbose='deprecated'):
        self.T_max = T_max
        self.eta_min = eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        _in_step(self)
        if self._is_initial:  #: 1428
            return _values(self.optimizer, 'lr')
        elif self._step_count == 1 and self.last_epoch > 0:  #: 1430
            return self._get_closed_form_lr()
        elif (self.last_epoch - 1 - self.T_max) % (2 * self.T_max) == 0:  #: 1440
            return [group['lr'] + (base_lr - self.eta_min) * (1 - math.cos(math.pi / self.T_max)) / 2
                    for base_lr, group in zip(self.base_lrs, self.optimizer.param_groups)]
        return [(1 + math.cos(math.pi * self.last_epoch / self.T_max)) / (1 + math.cos(math.pi * (self.last_epoch - 1) / self.T_max))
                * (group['lr'] - self.eta_min) + self.eta_min for group in self.optimizer.param_groups]

    def _get_closed_form_lr(self):
        return [self.eta_min + (base_lr - self.eta_min) * (1 + math.cos(math.pi * self.last_epoch / self.T_max)) / 2
                for base_lr in self.base_lrs]


class ChainedScheduler(LRScheduler):
    def __init__(self, schedulers, optimizer=None):
        if len(schedulers) < 1:  #: 1512
            raise ValueError(f'{self.__class__.__name__} expects at least one scheduler to be chained, but got no scheduler.')
        optimizer = optimizer or schedulers[0].optimizer  #: 1517
        _of_one_optimizer(self.__class__.__name__, schedulers, optimizer)
        self._schedulers = schedulers
        self.optimizer = optimizer
        self._last_lr = _values(self._schedulers[-1].optimizer, 'lr')

    def step(self):
        for scheduler in self._schedulers:  #: 1541
            scheduler.step()
        self._last_lr = _values(self._schedulers[-1].optimizer, 'lr')

    state_dict = SequentialLR.state_dict
    load_state_dict = SequentialLR.load_state_dict


class ReduceLROnPlateau(LRScheduler):
    def __init__(self, optimizer, mode='min', factor=0.1, patience=10, threshold=1e-4, threshold_mode='rel', cooldown=0, min_lr=0, eps=1e-8,
                 verbose='deprecated'):
        if factor >= 1.0:  #: 1660
            raise ValueError('Factor should be < 1.0.')
        self.factor = factor
        if not isinstance(optimizer, Optimizer):  #: 1665
            raise TypeError(f'{type(optimizer).__name__} is not an Optimizer')
        self.optimizer = optimizer
        if isinstance(min_lr, (list, tuple)):  #: 1669
            if len(min_lr) != len(optimizer.param_groups):  #: 1670
                raise ValueError(f'expected {len(optimizer.param_groups)} min_lrs, got {len(min_lr)}')
            self.default_min_lr = None
            self.min_lrs = list(min_lr)
        else:
            self.default_min_lr = min_lr
            self.min_lrs = [min_lr] * len(optimizer.param_groups)
        self.patience = patience
        self.cooldown = cooldown
        self.eps = eps
        self.last_epoch = 0
        self._last_lr = _values(self.optimizer, 'lr')
        self._init_is_better(mode, threshold, threshold_mode)
        self._reset()

    def _reset(self):
        self.best = self.mode_worse
        self.cooldown_counter = 0
        self.num_bad_epochs = 0

    def step(self, metrics, epoch=None):
        current = float(metrics)
        if epoch is None:  #: 1700
            epoch = self.last_epoch + 1
        else:
            warnings.warn('The epoch parameter in `scheduler.step()` was not necessary and is being deprecated', UserWarning)
        self.last_epoch = epoch
        if self._is_better(current, self.best):  #: 1706
            self.best = current
            self.num_bad_epochs = 0
        else:
            self.num_bad_epochs += 1
        if self.in_cooldown:  #: 1712
            self.cooldown_counter -= 1
            self.num_bad_epochs = 0
        if self.num_bad_epochs > self.patience:  #: 1716
            self._reduce_lr(epoch)
            self.cooldown_counter = self.cooldown
            self.num_bad_epochs = 0
        self._last_lr = _values(self.optimizer, 'lr')

    def _reduce_lr(self, epoch):
        if len(self.optimizer.param_groups) != len(self.min_lrs):  #: 1724
            if self.default_min_lr is None:  #: 1725
                raise RuntimeError(f'The number of param groups in the `optimizer` ({len(self.optimizer.param_groups)}) differs from '
                                   f'when `ReduceLROnPlateau` was initialized ({len(self.min_lrs)})')
            else:
                self.min_lrs = [self.default_min_lr] * len(self.optimizer.param_groups)
        for i, group in enumerate(self.optimizer.param_groups):  #: 1738
            old_lr = float(group['lr'])
            new_lr = max(old_lr * self.factor, self.min_lrs[i])
            if old_lr - new_lr > self.eps:  #: 1741
                _update(group, 'lr', new_lr)

    @property
    def in_cooldown(self):
        return self.cooldown_counter > 0

    def _is_better(self, a, best):
        if self.mode == 'min' and self.threshold_mode == 'rel':  #: 1749
            return a < best * (1.0 - self.threshold)
        elif self.mode == 'min' and self.threshold_mode == 'abs':  #: 1753
            return a < best - self.threshold
        elif self.mode == 'max' and self.threshold_mode == 'rel':  #: 1756
            return a > best * (self.threshold + 1.0)
        else:
            return a > best + self.threshold

    def _init_is_better(self, mode, threshold, threshold_mode):
        if mode not in {'min', 'max'}:  #: 1764
            raise ValueError('mode ' + mode + ' is unknown!')
        if threshold_mode not in {'rel', 'abs'}:  #: 1766
            raise ValueError('threshold mode ' + threshold_mode + ' is unknown!')
        if mode == 'min':  #: 1770
            self.mode_worse = inf
        else:
            self.mode_worse = -inf
        self.mode = mode
        self.threshold = threshold
        self.threshold_mode = threshold_mode


class CyclicLR(LRScheduler):
    def __init__(self, optimizer, base_lr, max_lr, step_size_up=2000, step_size_down=None, mode='triangular', gamma=1.0, scale_fn=None,
                 scale_mode='cycle', cycle_momentum=True, base_momentum=0.8, max_momentum=0.9, last_epoch=-1, verbose='deprecated'):
        if not isinstance(optimizer, Optimizer):  #: 1904
            raise TypeError(f'{type(optimizer).__name__} is not an Optimizer')
        self.optimizer = optimizer
        base_lrs = _per_group('base_lr', optimizer, base_lr)
        if last_epoch == -1:  #: 1909
            for lr, group in zip(base_lrs, optimizer.param_groups):  #: 1910
                _update(group, 'lr', lr)
        self.max_lrs = _per_group('max_lr', optimizer, max_lr)
        step_size_up = float(step_size_up)
        step_size_down = float(step_size_down) if step_size_down is not None else step_size_up  #: 1919
        self.total_size = step_size_up + step_size_down
        self.step_ratio = step_size_up / self.total_size
        if mode not in ['triangular', 'triangular2', 'exp_range'] and scale_fn is None:  #: 1925
            raise ValueError('mode is invalid and scale_fn is None')
        self.mode = mode
        self.gamma = gamma
        self._scale_fn_custom = scale_fn
        self.scale_mode = scale_mode
        self._init_scale_fn()
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:  #: 1937
            self.use_beta1 = _has_momentum(optimizer)
            self.base_momentums = _per_group('base_momentum', optimizer, base_momentum)
            self.max_momentums = _per_group('max_momentum', optimizer, max_momentum)
            if last_epoch == -1:  #: 1951
                _start_momentum(self, self.max_momentums, self.base_momentums)
        super().__init__(optimizer, last_epoch)
        self.base_lrs = base_lrs

    def _init_scale_fn(self):
        if self._scale_fn_custom is not None:  #: 1969
            return
        if self.mode == 'triangular':  #: 1971
            self._scale_fn_ref = lambda x: 1.0
            self.scale_mode = 'cycle'
        elif self.mode == 'triangular2':  #: 1974
            self._scale_fn_ref = lambda x: 1 / (2.0 ** (x - 1))
            self.scale_mode = 'cycle'
        elif self.mode == 'exp_range':  #: 1977
            self._scale_fn_ref = partial(lambda gamma, x: gamma ** x, self.gamma)
            self.scale_mode = 'iterations'

    def scale_fn(self, x):
        if self._scale_fn_custom is not None:  #: 1983
            return self._scale_fn_custom(x)
        else:
            return self._scale_fn_ref(x)

    def get_lr(self):
        _in_step(self)
        cycle = math.floor(1 + self.last_epoch / self.total_size)
        x = 1.0 + self.last_epoch / self.total_size - cycle
        if x <= self.step_ratio:  #: 2034
            scale_factor = x / self.step_ratio
        else:
            scale_factor = (x - 1) / (self.step_ratio - 1)
        lrs = []
        for base_lr, max_lr in zip(self.base_lrs, self.max_lrs):  #: 2040
            base_height = (max_lr - base_lr) * scale_factor
            if self.scale_mode == 'cycle':  #: 2042
                lr = base_lr + base_height * self.scale_fn(cycle)
            else:
                lr = base_lr + base_height * self.scale_fn(self.last_epoch)
            lrs.append(lr)
        if self.cycle_momentum:  #: 2048
            momentums = []
            for base_momentum, max_momentum in zip(self.base_momentums, self.max_momentums):  #: 2050
                base_height = (max_momentum - base_momentum) * scale_factor
                if self.scale_mode == 'cycle':  #: 2054
                    momentum = max_momentum - base_height * self.scale_fn(cycle)
                else:
                    momentum = max_momentum - base_height * self.scale_fn(self.last_epoch)
                momentums.append(momentum)
            for group, momentum in zip(self.optimizer.param_groups, momentums):  #: 2061
                if self.use_beta1:  #: 2064
                    group['betas'] = (momentum, *group['betas'][1:])
                else:
                    group['momentum'] = momentum
        return lrs


def _has_momentum(optimizer):
    # Whether an optimizer has beta1 for a momentum.
    if 'momentum' not in optimizer.defaults and 'betas' not in optimizer.defaults:
        raise ValueError('optimizer must support momentum or beta1 with `cycle_momentum` option enabled')
    return 'betas' in optimizer.defaults


def _start_momentum(scheduler, highest, lowest):
    for high, low, group in zip(highest, lowest, scheduler.optimizer.param_groups):
        if scheduler.use_beta1:
            group['betas'] = (high, *group['betas'][1:])
        else:
            group['momentum'] = high
        group['max_momentum'] = high
        group['base_momentum'] = low


class CosineAnnealingWarmRestarts(LRScheduler):
    def __init__(self, optimizer, T_0, T_mult=1, eta_min=0.0, last_epoch=-1, verbose='deprecated'):
        if T_0 <= 0 or not isinstance(T_0, int):  #: 2154
            raise ValueError(f'Expected positive integer T_0, but got {T_0}')
        if T_mult < 1 or not isinstance(T_mult, int):  #: 2156
            raise ValueError(f'Expected integer T_mult >= 1, but got {T_mult}')
        if not isinstance(eta_min, (float, int)):  #: 2158
            raise ValueError(f'Expected float or int eta_min, but got {eta_min} of type {type(eta_min)}')
        self.T_0 = T_0
        self.T_i = T_0
        self.T_mult = T_mult
        self.eta_min = eta_min
        self.T_cur = last_epoch
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        _in_step(self)
        return [self.eta_min + (base_lr - self.eta_min) * (1 + math.cos(math.pi * self.T_cur / self.T_i)) / 2 for base_lr in self.base_lrs]

    def step(self, epoch=None):
        if epoch is None and self.last_epoch < 0:  #: 2238
            epoch = 0
        if epoch is None:  #: 2241
            epoch = self.last_epoch + 1
            self.T_cur = self.T_cur + 1
            if self.T_cur >= self.T_i:  #: 2244
                self.T_cur = self.T_cur % self.T_i
                self.T_i = self.T_i * self.T_mult
        else:
            if epoch < 0:  #: 2248
                raise ValueError(f'Expected non-negative epoch, but got {epoch}')
            if epoch >= self.T_0:  #: 2250
                if self.T_mult == 1:  #: 2251
                    self.T_cur = epoch % self.T_0
                else:
                    n = int(math.log(epoch / self.T_0 * (self.T_mult - 1) + 1, self.T_mult))
                    self.T_cur = epoch - self.T_0 * (self.T_mult ** n - 1) / (self.T_mult - 1)
                    self.T_i = self.T_0 * self.T_mult ** n
            else:
                self.T_i = self.T_0
                self.T_cur = epoch
        self.last_epoch = math.floor(epoch)
        self._get_lr_called_within_step = True
        for group, lr in zip(self.optimizer.param_groups, self.get_lr()):  #: 2269
            _update(group, 'lr', lr)
        self._get_lr_called_within_step = False
        self._last_lr = _values(self.optimizer, 'lr')


class OneCycleLR(LRScheduler):
    def __init__(self, optimizer, max_lr, total_steps=None, epochs=None, steps_per_epoch=None, pct_start=0.3, anneal_strategy='cos',
                 cycle_momentum=True, base_momentum=0.85, max_momentum=0.95, div_factor=25.0, final_div_factor=1e4, three_phase=False,
                 last_epoch=-1, verbose='deprecated'):
        if not isinstance(optimizer, Optimizer):  #: 2407
            raise TypeError(f'{type(optimizer).__name__} is not an Optimizer')
        self.optimizer = optimizer
        if total_steps is not None:  #: 2412
            if total_steps <= 0 or not isinstance(total_steps, int):  #: 2413
                raise ValueError(f'Expected positive integer total_steps, but got {total_steps}')
            self.total_steps = total_steps
        elif epochs is not None and steps_per_epoch is not None:  #: 2418
            if not isinstance(epochs, int) or epochs <= 0:  #: 2419
                raise ValueError(f'Expected positive integer epochs, but got {epochs}')
            if not isinstance(steps_per_epoch, int) or steps_per_epoch <= 0:  #: 2421
                raise ValueError(f'Expected positive integer steps_per_epoch, but got {steps_per_epoch}')
            self.total_steps = epochs * steps_per_epoch
        else:
            raise ValueError('You must define either total_steps OR (epochs AND steps_per_epoch)')
        steps = self.total_steps
        if three_phase:  #: 2432
            self._schedule_phases = [
                (float(pct_start * steps) - 1, 'initial_lr', 'max_lr', 'max_momentum', 'base_momentum'),
                (float(2 * pct_start * steps) - 2, 'max_lr', 'initial_lr', 'base_momentum', 'max_momentum'),
                (steps - 1, 'initial_lr', 'min_lr', 'max_momentum', 'max_momentum')]
        else:
            self._schedule_phases = [
                (float(pct_start * steps) - 1, 'initial_lr', 'max_lr', 'max_momentum', 'base_momentum'),
                (steps - 1, 'max_lr', 'min_lr', 'base_momentum', 'max_momentum')]
        if pct_start < 0 or pct_start > 1 or not isinstance(pct_start, float):  #: 2475
            raise ValueError(f'Expected float between 0 and 1 pct_start, but got {pct_start}')
        if anneal_strategy not in ['cos', 'linear']:  #: 2481
            raise ValueError(f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}")
        self._anneal_func_type = anneal_strategy
        max_lrs = _per_group('max_lr', self.optimizer, max_lr)
        if last_epoch == -1:  #: 2490
            for idx, group in enumerate(self.optimizer.param_groups):  #: 2491
                group['initial_lr'] = max_lrs[idx] / div_factor
                group['max_lr'] = max_lrs[idx]
                group['min_lr'] = group['initial_lr'] / final_div_factor
        self.cycle_momentum = cycle_momentum
        if self.cycle_momentum:  #: 2498
            self.use_beta1 = _has_momentum(optimizer)
            max_momentums = _per_group('max_momentum', optimizer, max_momentum)
            base_momentums = _per_group('base_momentum', optimizer, base_momentum)
            if last_epoch == -1:  #: 2509
                _start_momentum(self, max_momentums, base_momentums)
        super().__init__(optimizer, last_epoch)

    def _anneal_func(self, start, end, pct):
        if hasattr(self, '_anneal_func_type'):  #: 2523
            if self._anneal_func_type == 'cos':  #: 2524
                return end + (start - end) / 2.0 * (math.cos(math.pi * pct) + 1)
            elif self._anneal_func_type == 'linear':  #: 2526
                return (end - start) * pct + start
            else:
                raise ValueError(f'Unknown _anneal_func_type: {self._anneal_func_type}')
        else:
            return self.anneal_func(start, end, pct)

    def get_lr(self):
        _in_step(self)
        lrs = []
        step_num = self.last_epoch
        if step_num > self.total_steps:  #: 2576
            raise ValueError(f'Tried to step {step_num} times. The specified number of total steps is {self.total_steps}')
        for group in self.optimizer.param_groups:  #: 2581
            start_step = 0.0
            for i, (end_step, start_lr, end_lr, start_momentum, end_momentum) in enumerate(self._schedule_phases):  #: 2583
                if step_num <= end_step or i == len(self._schedule_phases) - 1:  #: 2585
                    pct = (step_num - start_step) / (end_step - start_step)
                    computed_lr = self._anneal_func(group[start_lr], group[end_lr], pct)
                    if self.cycle_momentum:  #: 2590
                        computed_momentum = self._anneal_func(group[start_momentum], group[end_momentum], pct)
                    break
                start_step = end_step
            lrs.append(computed_lr)
            if self.cycle_momentum:  #: 2600
                if self.use_beta1:  #: 2601
                    group['betas'] = (computed_momentum, *group['betas'][1:])
                else:
                    group['momentum'] = computed_momentum
        return lrs
