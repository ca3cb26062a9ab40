# This file defines the learning-rate schedulers. Rates change no type: the
# schedulers count their steps and leave the rates as they are.


class LRScheduler:
    def __init__(self, optimizer, last_epoch=-1, verbose='deprecated'):
        if not hasattr(optimizer, 'param_groups'):
            raise TypeError(f'{type(optimizer).__name__} is not an Optimizer')
        self.optimizer = optimizer
        for group in optimizer.param_groups:
            group.setdefault('initial_lr', group['lr'])
        self.base_lrs = [group['initial_lr'] for group in optimizer.param_groups]
        self.last_epoch = last_epoch + 1
        self._step_count = 1
        self._last_lr = [group['lr'] for group in optimizer.param_groups]

    def step(self, epoch=None):
        self._step_count += 1
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch

    def get_last_lr(self):
        return self._last_lr

    def get_lr(self):
        return [group['lr'] for group in self.optimizer.param_groups]

    def state_dict(self):
        return {k: v for k, v in self.__dict__.items() if k != 'optimizer'}

    def load_state_dict(self, state_dict):
        pass

    def print_lr(self, *args):
        pass


_LRScheduler = LRScheduler


class LambdaLR(LRScheduler):
    def __init__(self, optimizer, lr_lambda, last_epoch=-1, verbose='deprecated'):
        super().__init__(optimizer, last_epoch)
        lambdas = list(lr_lambda) if isinstance(lr_lambda, (list, tuple)) else [lr_lambda] * len(optimizer.param_groups)
        if len(lambdas) != len(optimizer.param_groups):
            raise ValueError(f'Expected {len(optimizer.param_groups)} lr_lambdas, but got {len(lambdas)}')
        self.lr_lambdas = lambdas


class MultiplicativeLR(LambdaLR):
    pass


class _Scheduler(LRScheduler):
    # The parameters after the optimiser, kept as attributes of the same name.
    _params = ()

    def __init__(self, optimizer, *args, **kwargs):
        if len(args) > len(self._params):
            raise TypeError(f'{type(self).__name__}() takes at most {len(self._params) + 1} positional arguments')
        for name, value in list(zip(self._params, args)) + list(kwargs.items()):
            setattr(self, name, value)
        super().__init__(optimizer, kwargs.get('last_epoch', -1))


class StepLR(_Scheduler):
    _params = ('step_size', 'gamma', 'last_epoch', 'verbose')


class MultiStepLR(_Scheduler):
    _params = ('milestones', 'gamma', 'last_epoch', 'verbose')


class ConstantLR(_Scheduler):
    _params = ('factor', 'total_iters', 'last_epoch', 'verbose')


class LinearLR(_Scheduler):
    _params = ('start_factor', 'end_factor', 'total_iters', 'last_epoch', 'verbose')


class ExponentialLR(_Scheduler):
    _params = ('gamma', 'last_epoch', 'verbose')


class PolynomialLR(_Scheduler):
    _params = ('total_iters', 'power', 'last_epoch', 'verbose')


class CosineAnnealingLR(_Scheduler):
    _params = ('T_max', 'eta_min', 'last_epoch', 'verbose')


class CosineAnnealingWarmRestarts(_Scheduler):
    _params = ('T_0', 'T_mult', 'eta_min', 'last_epoch', 'verbose')


class CyclicLR(_Scheduler):
    _params = ('base_lr', 'max_lr', 'step_size_up', 'step_size_down', 'mode', 'gamma', 'scale_fn', 'scale_mode',
               'cycle_momentum', 'base_momentum', 'max_momentum', 'last_epoch', 'verbose')


class OneCycleLR(_Scheduler):
    _params = ('max_lr', 'total_steps', 'epochs', 'steps_per_epoch', 'pct_start', 'anneal_strategy', 'cycle_momentum',
               'base_momentum', 'max_momentum', 'div_factor', 'final_div_factor', 'three_phase', 'last_epoch',
               'verbose')


class ReduceLROnPlateau(_Scheduler):
    _params = ('mode', 'factor', 'patience', 'threshold', 'threshold_mode', 'cooldown', 'min_lr', 'eps', 'verbose')

    def step(self, metrics, epoch=None):
        super().step(epoch)


class SequentialLR(_Scheduler):
    _params = ('schedulers', 'milestones', 'last_epoch', 'verbose')


class ChainedScheduler(LRScheduler):
    def __init__(self, schedulers, optimizer=None):
        super().__init__(schedulers[0].optimizer)
        self._schedulers = schedulers
