# This file defines the transforms, all of which keep the shape.
import math
import torch
from torch.nn import functional as F


class Transform:
    bijective = True
    domain = None
    codomain = None
    # How many axes of a value the Jacobian's determinant takes together.
    event_dim = 0

    def __init__(self, cache_size=0):
        self._cache_size = cache_size

    @property
    def inv(self):
        return _Inverse(self)

    def __call__(self, x):
        return self._call(x)

    def _call(self, x):
        raise NotImplementedError

    def _inverse(self, y):
        return torch._stand_in(self._call(y), what=f'the inverse of {type(self).__name__}')

    def log_abs_det_jacobian(self, x, y):
        return torch._stand_in(x + y, what=f'{type(self).__name__}.log_abs_det_jacobian')


class _Inverse(Transform):
    def __init__(self, base):
        super().__init__()
        self._base = base
        self.event_dim = base.event_dim

    @property
    def inv(self):
        return self._base

    def _call(self, x):
        return self._base._inverse(x)

    def _inverse(self, y):
        return self._base._call(y)

    def log_abs_det_jacobian(self, x, y):
        return -self._base.log_abs_det_jacobian(y, x)


class ExpTransform(Transform):
    def _call(self, x):
        return x.exp()

    def _inverse(self, y):
        return y.log()

    def log_abs_det_jacobian(self, x, y):
        return x


class SigmoidTransform(Transform):
    def _call(self, x):
        info = torch.finfo(x.dtype)
        return torch.clamp(torch.sigmoid(x), min=info.tiny, max=1.0 - info.eps)

    def _inverse(self, y):
        info = torch.finfo(y.dtype)
        y = y.clamp(min=info.tiny, max=1.0 - info.eps)
        return y.log() - (-y).log1p()

    def log_abs_det_jacobian(self, x, y):
        return -F.softplus(-x) - F.softplus(x)


class TanhTransform(Transform):
    def _call(self, x):
        return x.tanh()

    def _inverse(self, y):
        return torch.atanh(y)

    def log_abs_det_jacobian(self, x, y):
        return 2.0 * (math.log(2.0) - x - F.softplus(-2.0 * x))


class AbsTransform(Transform):
    bijective = False

    def _call(self, x):
        return x.abs()

    def _inverse(self, y):
        return y


class SoftmaxTransform(Transform):
    bijective = False
    event_dim = 1

    def _call(self, x):
        return x.softmax(-1)

    def _inverse(self, y):
        return y.log()


class AffineTransform(Transform):
    def __init__(self, loc, scale, event_dim=0, cache_size=0):
        super().__init__(cache_size)
        self.loc = loc
        self.scale = scale
        self.event_dim = event_dim

    def _call(self, x):
        return self.loc + self.scale * x

    def _inverse(self, y):
        return (y - self.loc) / self.scale

    def log_abs_det_jacobian(self, x, y):
        if isinstance(self.scale, torch.Tensor):
            p = torch.abs(self.scale).log()
        else:
            p = torch.full_like(x, math.log(abs(self.scale)))
        shape = x.shape
        if self.event_dim:
            p = p.reshape(p.size()[:-self.event_dim] + (-1,)).sum(-1)
            shape = shape[:-self.event_dim]
        return p.expand(shape)


class ComposeTransform(Transform):
    def __init__(self, parts, cache_size=0):
        super().__init__(cache_size)
        self.parts = parts

    @property
    def event_dim(self):
        return max([0] + [p.event_dim for p in self.parts])

    def _call(self, x):
        for p in self.parts:
            x = p(x)
        return x

    def _inverse(self, y):
        for p in reversed(self.parts):
            y = p._inverse(y)
        return y

    def log_abs_det_jacobian(self, x, y):
        total = 0.0
        for p in self.parts:
            y = p(x)
            j = p.log_abs_det_jacobian(x, y)
            for _ in range(self.event_dim - p.event_dim):
                j = j.sum(-1)
            total = total + j
            x = y
        return total
