"""Sizes of tensors that a module holds are symbols, but of registered buffers and parameters; what is decided on them, or on numbers and sizes outside, is guarded."""
import torch


class Plain(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.t = torch.ones(5)

    def forward(self, x):
        if self.t.shape[0] > 4:
            return x + self.t.sum()
        return x - 1


class Registered(Plain):
    def __init__(self):
        torch.nn.Module.__init__(self)
        self.register_buffer("t", torch.ones(5))


x = torch.ones(4)
plain = Plain()
compiled = torch.compile(plain, backend="eager")
for k in [5, 6, 7, 3, 2, 9]:
    plain.t = torch.ones(k)
    compiled(x)

t = torch.ones(5)


@torch.compile(backend="eager")
def outside(x):
    if t.shape[0] > 4:
        return x + t.sum()
    return x - 1


for k in [5, 6, 7, 3, 2, 9]:
    t = torch.ones(k)
    outside(x)


class Config:
    pass


config = Config()


@torch.compile(backend="eager")
def configured(x, config):
    if config.k > 2:
        return x + config.k
    return x - config.k


for k in [5, 6, 7, 2, 1, 9]:
    config.k = k
    configured(x, config)


def make():
    k = 5

    def write(v):
        nonlocal k
        k = v

    @torch.compile(backend="eager")
    def enclosed(x):
        if k > 2:
            return x + k
        return x - k

    return enclosed, write


enclosed, write = make()
for k in [5, 6, 7, 2, 1, 9]:
    write(k)
    enclosed(x)
