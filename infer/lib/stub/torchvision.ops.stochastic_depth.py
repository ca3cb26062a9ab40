# torchvision.ops.stochastic_depth: branches that are left out while training.
import torch as _torch
from torch import nn as _nn


def stochastic_depth(input, p, mode, training=True):
    if p < 0.0 or p > 1.0:
        raise ValueError(f'drop probability has to be between 0 and 1, but got {p}')
    if mode not in ('batch', 'row'):
        raise ValueError(f"mode has to be either 'batch' or 'row', but got {mode}")
    if not training or p == 0.0:
        return input
    size = [input.shape[0] if mode == 'row' else 1] + [1] * (input.ndim - 1)
    noise = _torch.empty(size, dtype=input.dtype, device=input.device).bernoulli_(1.0 - p)
    if p < 1.0:
        noise.div_(1.0 - p)
    return input * noise


class StochasticDepth(_nn.Module):
    def __init__(self, p, mode):
        super().__init__()
        self.p = p
        self.mode = mode

    def forward(self, input):
        return stochastic_depth(input, self.p, self.mode, self.training)
