# This file defines the averaging of models.
import copy
import math
import torch
from ..nn.modules.module import Module
from .lr_scheduler import LRScheduler, _per_group


class AveragedModel(Module):
    def __init__(self, model, device=None, avg_fn=None, multi_avg_fn=None, use_buffers=False):
        super().__init__()
        self.module = copy.deepcopy(model)
        self.register_buffer('n_averaged', torch.tensor(0, dtype=torch.long))

    def forward(self, *args, **kwargs):
        return self.module(*args, **kwargs)

    def update_parameters(self, model):
        pass


class SWALR(LRScheduler):
    def __init__(self, optimizer, swa_lr, anneal_epochs=10, anneal_strategy='cos', last_epoch=-1):
        if anneal_strategy not in ('cos', 'linear'):
            raise ValueError(f"anneal_strategy must by one of 'cos' or 'linear', instead got {anneal_strategy}")
        if not isinstance(anneal_epochs, int) or anneal_epochs < 0:
            raise ValueError(f'anneal_epochs must be equal or greater than 0, got {anneal_epochs}')
        self._anneal_strategy = anneal_strategy
        self.anneal_epochs = anneal_epochs
        for group, lr in zip(optimizer.param_groups, _per_group('swa_lr', optimizer, swa_lr)):
            group['swa_lr'] = lr
        super().__init__(optimizer, last_epoch)

    def _alpha(self, step):
        t = max(0, min(1, step / max(1, self.anneal_epochs)))
        return (1 - math.cos(math.pi * t)) / 2 if self._anneal_strategy == 'cos' else t

    def get_lr(self):
        step = self._step_count - 1
        if self.anneal_epochs == 0:
            step = max(1, step)
        before, alpha = self._alpha(step - 1), self._alpha(step)
        rates = []
        for group in self.optimizer.param_groups:
            end = group['swa_lr']
            start = end if before == 1 else (group['lr'] - before * end) / (1 - before)
            rates.append(end * alpha + start * (1 - alpha))
        return rates


def update_bn(loader, model, device=None):
    pass


def get_ema_multi_avg_fn(decay=0.999):
    return None


def get_ema_avg_fn(decay=0.999):
    return None
