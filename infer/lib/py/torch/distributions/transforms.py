# This file defines the transforms, all of which keep the shape.
import torch


class Transform:
    bijective = True
    domain = None
    codomain = None

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
        return torch._stand_in(self._call(y))

    def log_abs_det_jacobian(self, x, y):
        return torch._stand_in(x + y)


class _Inverse(Transform):
    def __init__(self, base):
        super().__init__()
        self._base = base

    def _call(self, x):
        return self._base._inverse(x)

    def _inverse(self, y):
        return self._base._call(y)


class ExpTransform(Transform):
    def _call(self, x):
        return x.exp()


class SigmoidTransform(Transform):
    def _call(self, x):
        return torch.sigmoid(x)


class TanhTransform(Transform):
    def _call(self, x):
        return x.tanh()


class AbsTransform(Transform):
    def _call(self, x):
        return x.abs()


class SoftmaxTransform(Transform):
    def _call(self, x):
        return x.softmax(-1)


class AffineTransform(Transform):
    def __init__(self, loc, scale, event_dim=0, cache_size=0):
        super().__init__(cache_size)
        self.loc = loc
        self.scale = scale

    def _call(self, x):
        return self.loc + self.scale * x


class ComposeTransform(Transform):
    def __init__(self, parts, cache_size=0):
        super().__init__(cache_size)
        self.parts = parts

    def _call(self, x):
        for p in self.parts:
            x = p(x)
        return x
