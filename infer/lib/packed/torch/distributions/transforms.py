# This file defines the transforms, and what they make of shapes.
import math
import torch
from . import constraints
from torch.nn import functional as F


def _with_axes(constraint, n):
    """The constraint on elements that n axes more make one value of."""
    return constraints.independent(constraint, n) if n > 0 else constraint


class Transform:
    bijective = False
    # How many axes of a value the Jacobian's determinant takes together, and how many there are of the result.
    event_dim = 0

    @property
    def result_dim(self):
        return self.event_dim

    def forward_shape(self, shape):
        return shape

    def inverse_shape(self, shape):
        return shape

    def __init__(self, cache_size=0):
        self._cache_size = cache_size

    @property
    def sign(self):
        raise NotImplementedError

    def with_cache(self, cache_size=1):
        return self

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
    @constraints.dependent_property
    def domain(self):
        return self._base.codomain

    @constraints.dependent_property
    def codomain(self):
        return self._base.domain

    @property
    def bijective(self):
        return self._base.bijective

    @property
    def sign(self):
        return self._base.sign

    def __init__(self, base):
        super().__init__()
        self._base = base
        self.event_dim = base.result_dim

    @property
    def inv(self):
        return self._base

    @property
    def result_dim(self):
        return self._base.event_dim

    def forward_shape(self, shape):
        return self._base.inverse_shape(shape)

    def inverse_shape(self, shape):
        return self._base.forward_shape(shape)

    def _call(self, x):
        return self._base._inverse(x)

    def _inverse(self, y):
        return self._base._call(y)

    def log_abs_det_jacobian(self, x, y):
        return -self._base.log_abs_det_jacobian(y, x)


class ExpTransform(Transform):
    domain = constraints.real
    codomain = constraints.positive
    bijective = True
    sign = 1

    def _call(self, x):
        return x.exp()

    def _inverse(self, y):
        return y.log()

    def log_abs_det_jacobian(self, x, y):
        return x


class SigmoidTransform(Transform):
    domain = constraints.real
    codomain = constraints.unit_interval
    bijective = True
    sign = 1

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
    domain = constraints.real
    codomain = constraints.interval(-1.0, 1.0)
    bijective = True
    sign = 1

    def _call(self, x):
        return x.tanh()

    def _inverse(self, y):
        return torch.atanh(y)

    def log_abs_det_jacobian(self, x, y):
        return 2.0 * (math.log(2.0) - x - F.softplus(-2.0 * x))


class AbsTransform(Transform):
    domain = constraints.real
    codomain = constraints.positive

    def _call(self, x):
        return x.abs()

    def _inverse(self, y):
        return y


class SoftmaxTransform(Transform):
    domain = constraints.real_vector
    codomain = constraints.simplex
    bijective = False
    event_dim = 1

    def _call(self, x):
        return x.softmax(-1)

    def _inverse(self, y):
        return y.log()


class AffineTransform(Transform):
    bijective = True

    @constraints.dependent_property
    def domain(self):
        return _with_axes(constraints.real, self.event_dim)

    @constraints.dependent_property
    def codomain(self):
        return _with_axes(constraints.real, self.event_dim)

    @property
    def sign(self):
        if isinstance(self.scale, (int, float)):
            return 1 if self.scale > 0 else -1 if self.scale < 0 else 0
        return self.scale.sign()

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


class PowerTransform(Transform):
    domain = constraints.positive
    codomain = constraints.positive
    bijective = True

    def __init__(self, exponent, cache_size=0):
        super().__init__(cache_size)
        self.exponent = exponent

    def forward_shape(self, shape):
        return torch.broadcast_shapes(shape, getattr(self.exponent, 'shape', ()))

    inverse_shape = forward_shape

    def _call(self, x):
        return x.pow(self.exponent)

    def _inverse(self, y):
        return y.pow(1 / self.exponent)

    def log_abs_det_jacobian(self, x, y):
        return (self.exponent * y / x).abs().log()


class SoftplusTransform(Transform):
    domain = constraints.real
    codomain = constraints.positive
    bijective = True
    sign = 1

    def _call(self, x):
        return F.softplus(x)

    def _inverse(self, y):
        return (-y).expm1().neg().log() + y

    def log_abs_det_jacobian(self, x, y):
        return -F.softplus(-x)


class CumulativeDistributionTransform(Transform):
    codomain = constraints.unit_interval
    bijective = True
    sign = 1

    @property
    def domain(self):
        return self.distribution.support

    def __init__(self, distribution, cache_size=0):
        super().__init__(cache_size)
        self.distribution = distribution

    def _call(self, x):
        return self.distribution.cdf(x)

    def _inverse(self, y):
        return self.distribution.icdf(y)

    def log_abs_det_jacobian(self, x, y):
        return self.distribution.log_prob(x)


class ReshapeTransform(Transform):
    bijective = True

    @constraints.dependent_property
    def domain(self):
        return constraints.independent(constraints.real, len(self.in_shape))

    @constraints.dependent_property
    def codomain(self):
        return constraints.independent(constraints.real, len(self.out_shape))

    def __init__(self, in_shape, out_shape, cache_size=0):
        super().__init__(cache_size)
        self.in_shape, self.out_shape = torch.Size(in_shape), torch.Size(out_shape)
        if self.in_shape.numel() != self.out_shape.numel():
            raise ValueError('in_shape, out_shape have different numbers of elements')
        self.event_dim = len(self.in_shape)

    @property
    def result_dim(self):
        return len(self.out_shape)

    def _swap(self, shape, old, new):
        cut = len(shape) - len(old)
        if tuple(shape[cut:]) != tuple(old):
            raise ValueError(f'Shape mismatch: expected {shape[cut:]} but got {old}')
        return tuple(shape[:cut]) + tuple(new)

    def forward_shape(self, shape):
        return self._swap(shape, self.in_shape, self.out_shape)

    def inverse_shape(self, shape):
        return self._swap(shape, self.out_shape, self.in_shape)

    def _call(self, x):
        return x.reshape(self.forward_shape(x.shape))

    def _inverse(self, y):
        return y.reshape(self.inverse_shape(y.shape))

    def log_abs_det_jacobian(self, x, y):
        return x.new_zeros(x.shape[:x.dim() - len(self.in_shape)])


class StickBreakingTransform(Transform):
    domain = constraints.real_vector
    codomain = constraints.simplex
    bijective = True
    event_dim = 1

    def forward_shape(self, shape):
        return tuple(shape[:-1]) + (shape[-1] + 1,)

    def inverse_shape(self, shape):
        return tuple(shape[:-1]) + (shape[-1] - 1,)

    def _call(self, x):
        offset = x.shape[-1] + 1 - x.new_ones(x.shape[-1]).cumsum(-1)
        z = torch.sigmoid(x - offset.log())
        return F.pad(z, [0, 1], value=1) * F.pad((1 - z).cumprod(-1), [1, 0], value=1)

    def _inverse(self, y):
        crop = y[..., :-1]
        offset = y.shape[-1] - y.new_ones(crop.shape[-1]).cumsum(-1)
        rest = (1 - crop.cumsum(-1)).clamp(min=torch.finfo(y.dtype).tiny)
        return crop.log() - rest.log() + offset.log()

    def log_abs_det_jacobian(self, x, y):
        offset = x.shape[-1] + 1 - x.new_ones(x.shape[-1]).cumsum(-1)
        x = x - offset.log()
        return (-x + F.logsigmoid(x) + y[..., :-1].log()).sum(-1)


class LowerCholeskyTransform(Transform):
    domain = constraints.independent(constraints.real, 2)
    codomain = constraints.lower_cholesky
    event_dim = 2

    def _call(self, x):
        return x.tril(-1) + x.diagonal(dim1=-2, dim2=-1).exp().diag_embed()

    def _inverse(self, y):
        return y.tril(-1) + y.diagonal(dim1=-2, dim2=-1).log().diag_embed()


class PositiveDefiniteTransform(Transform):
    domain = constraints.independent(constraints.real, 2)
    codomain = constraints.positive_definite
    event_dim = 2

    def _call(self, x):
        x = LowerCholeskyTransform()(x)
        return x @ x.mT

    def _inverse(self, y):
        return LowerCholeskyTransform().inv(torch.linalg.cholesky(y))


class CorrCholeskyTransform(Transform):
    domain = constraints.real_vector
    codomain = constraints.corr_cholesky
    bijective = True
    event_dim = 1

    @property
    def result_dim(self):
        return 2

    def forward_shape(self, shape):
        n = shape[-1]
        size = round((0.25 + 2 * n) ** 0.5 + 0.5)
        if size * (size - 1) // 2 != n:
            raise ValueError('Input is not a flattened lower-diagonal number')
        return tuple(shape[:-1]) + (size, size)

    def inverse_shape(self, shape):
        if shape[-2] != shape[-1]:
            raise ValueError('Input is not square')
        return tuple(shape[:-2]) + (shape[-1] * (shape[-1] - 1) // 2,)

    def _call(self, x):
        return torch._stand_in(x.new_empty(self.forward_shape(x.shape)), what='torch.distributions.CorrCholeskyTransform')

    def _inverse(self, y):
        return torch._stand_in(y.new_empty(self.inverse_shape(y.shape)), what='torch.distributions.CorrCholeskyTransform')

    def log_abs_det_jacobian(self, x, y):
        return x.sum(-1)


class IndependentTransform(Transform):
    @constraints.dependent_property
    def domain(self):
        return constraints.independent(self.base_transform.domain, self.reinterpreted_batch_ndims)

    @constraints.dependent_property
    def codomain(self):
        return constraints.independent(self.base_transform.codomain, self.reinterpreted_batch_ndims)

    @property
    def bijective(self):
        return self.base_transform.bijective

    @property
    def sign(self):
        return self.base_transform.sign

    def __init__(self, base_transform, reinterpreted_batch_ndims, cache_size=0):
        super().__init__(cache_size)
        self.base_transform = base_transform
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims
        self.event_dim = base_transform.event_dim + reinterpreted_batch_ndims

    @property
    def result_dim(self):
        return self.base_transform.result_dim + self.reinterpreted_batch_ndims

    def forward_shape(self, shape):
        return self.base_transform.forward_shape(shape)

    def inverse_shape(self, shape):
        return self.base_transform.inverse_shape(shape)

    def _call(self, x):
        return self.base_transform(x)

    def _inverse(self, y):
        return self.base_transform.inv(y)

    def log_abs_det_jacobian(self, x, y):
        j = self.base_transform.log_abs_det_jacobian(x, y)
        for _ in range(self.reinterpreted_batch_ndims):
            j = j.sum(-1)
        return j


class _Parts(Transform):
    """Transforms of parts along an axis."""

    @property
    def bijective(self):
        return all([t.bijective for t in self.transforms])

    def _through(self, value, transforms):
        raise NotImplementedError

    def _call(self, x):
        return self._through(x, self.transforms)

    def _inverse(self, y):
        return self._through(y, [t.inv for t in self.transforms])


class CatTransform(_Parts):
    @constraints.dependent_property
    def domain(self):
        return constraints.cat([t.domain for t in self.transforms], self.dim, self.lengths)

    @constraints.dependent_property
    def codomain(self):
        return constraints.cat([t.codomain for t in self.transforms], self.dim, self.lengths)

    def __init__(self, tseq, dim=0, lengths=None, cache_size=0):
        super().__init__(cache_size)
        self.transforms = list(tseq)
        self.lengths = [1] * len(self.transforms) if lengths is None else list(lengths)
        self.dim = dim
        self.event_dim = max([t.event_dim for t in self.transforms])

    def _through(self, value, transforms):
        parts, start = [], 0
        for t, n in zip(transforms, self.lengths):
            parts.append(t(value.narrow(self.dim, start, n)))
            start += n
        return torch.cat(parts, dim=self.dim)


class StackTransform(_Parts):
    @constraints.dependent_property
    def domain(self):
        return constraints.stack([t.domain for t in self.transforms], self.dim)

    @constraints.dependent_property
    def codomain(self):
        return constraints.stack([t.codomain for t in self.transforms], self.dim)

    def __init__(self, tseq, dim=0, cache_size=0):
        super().__init__(cache_size)
        self.transforms = list(tseq)
        self.dim = dim

    def _through(self, value, transforms):
        return torch.stack([t(value.select(self.dim, i)) for i, t in enumerate(transforms)], self.dim)


class ComposeTransform(Transform):
    @constraints.dependent_property
    def domain(self):
        if not self.parts:
            return constraints.real
        n = self.parts[-1].codomain.event_dim
        for p in reversed(self.parts):
            n = max(n + p.domain.event_dim - p.codomain.event_dim, p.domain.event_dim)
        first = self.parts[0].domain
        return _with_axes(first, n - first.event_dim)

    @constraints.dependent_property
    def codomain(self):
        if not self.parts:
            return constraints.real
        n = self.parts[0].domain.event_dim
        for p in self.parts:
            n = max(n + p.codomain.event_dim - p.domain.event_dim, p.codomain.event_dim)
        last = self.parts[-1].codomain
        return _with_axes(last, n - last.event_dim)

    @property
    def bijective(self):
        return all([p.bijective for p in self.parts])

    @property
    def sign(self):
        sign = 1
        for p in self.parts:
            sign = sign * p.sign
        return sign

    def __init__(self, parts, cache_size=0):
        super().__init__(cache_size)
        self.parts = parts

    # From the last part back, and from the first one on: a part may change the number of axes.
    @property
    def event_dim(self):
        n = 0
        for p in reversed(self.parts):
            n = max(n + p.event_dim - p.result_dim, p.event_dim)
        return n

    @property
    def result_dim(self):
        n = 0
        for p in self.parts:
            n = max(n + p.result_dim - p.event_dim, p.result_dim)
        return n

    def forward_shape(self, shape):
        for p in self.parts:
            shape = p.forward_shape(shape)
        return shape

    def inverse_shape(self, shape):
        for p in reversed(self.parts):
            shape = p.inverse_shape(shape)
        return shape

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


identity_transform = ComposeTransform([])
