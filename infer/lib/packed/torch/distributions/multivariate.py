# This file defines distributions of vectors and those made of others.
import math
import torch
from . import constraints
from .distribution import Distribution, sum_rightmost
from .transforms import ComposeTransform


class MultivariateNormal(Distribution):
    arg_constraints = {'loc': constraints.real_vector,
                       'covariance_matrix': constraints.positive_definite,
                       'precision_matrix': constraints.positive_definite,
                       'scale_tril': constraints.lower_cholesky}
    support = constraints.real_vector
    has_rsample = True
    arg_names = ('loc', '_unbroadcasted_scale_tril')

    def __init__(self, loc, covariance_matrix=None, precision_matrix=None, scale_tril=None, validate_args=None):
        if loc.dim() < 1:
            raise ValueError('loc must be at least one-dimensional.')
        given = [m for m in (covariance_matrix, scale_tril, precision_matrix) if m is not None]
        if len(given) != 1:
            raise ValueError('Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified.')
        matrix = given[0]
        if matrix.dim() < 2:
            raise ValueError('the matrix must be at least two-dimensional, with optional leading batch dimensions')
        batch = torch.broadcast_shapes(matrix.shape[:-2], loc.shape[:-1])
        self._matrix = matrix.expand(tuple(batch) + (-1, -1))
        self._given = 'covariance' if covariance_matrix is not None else 'scale' if scale_tril is not None else 'precision'
        self.loc = loc.expand(tuple(batch) + (-1,))
        super().__init__(batch, self.loc.shape[-1:])

    def _like(self):
        return self.loc

    @property
    def covariance_matrix(self):
        if self._given == 'covariance':
            return self._matrix
        return self._matrix @ self._matrix.transpose(-2, -1) if self._given == 'scale' else torch.linalg.inv(self._matrix)

    @property
    def precision_matrix(self):
        return self._matrix if self._given == 'precision' else torch.linalg.inv(self.covariance_matrix)

    @property
    def scale_tril(self):
        return self._matrix if self._given == 'scale' else torch.linalg.cholesky(self.covariance_matrix)

    @property
    def mean(self):
        return self.loc

    @property
    def mode(self):
        return self.loc

    @property
    def variance(self):
        return self.covariance_matrix.diagonal(dim1=-2, dim2=-1).expand(self._extended_shape())

    def rsample(self, sample_shape=torch.Size()):
        return self.loc + (self.scale_tril @ self._randn(sample_shape).unsqueeze(-1)).squeeze(-1)

    def _half_log_det(self):
        return self.scale_tril.diagonal(dim1=-2, dim2=-1).log().sum(-1)

    def log_prob(self, value):
        diff = value - self.loc
        m = torch.linalg.solve_triangular(self.scale_tril, diff.unsqueeze(-1), upper=False).squeeze(-1).pow(2).sum(-1)
        return -0.5 * (self._event_shape[0] * math.log(2 * math.pi) + m) - self._half_log_det()

    def entropy(self):
        return (0.5 * self._event_shape[0] * (1.0 + math.log(2 * math.pi)) + self._half_log_det()).expand(self._batch_shape)


class LowRankMultivariateNormal(Distribution):
    arg_constraints = {'loc': constraints.real_vector,
                       'cov_factor': constraints.independent(constraints.real, 2),
                       'cov_diag': constraints.independent(constraints.positive, 1)}
    support = constraints.real_vector
    has_rsample = True
    arg_names = ('loc',)

    def __init__(self, loc, cov_factor, cov_diag, validate_args=None):
        self.loc = loc
        self.cov_factor = cov_factor
        self.cov_diag = cov_diag
        super().__init__(loc.shape[:-1], loc.shape[-1:])

    def _like(self):
        return self.loc

    @property
    def mean(self):
        return self.loc

    @property
    def mode(self):
        return self.loc

    @property
    def variance(self):
        return (self.cov_factor.pow(2).sum(-1) + self.cov_diag).expand(self._extended_shape())


class Independent(Distribution):
    _looks_at_values = False  # the distribution inside does
    arg_constraints = {}

    @constraints.dependent_property
    def support(self):
        support = self.base_dist.support
        return constraints.independent(support, self.reinterpreted_batch_ndims) if self.reinterpreted_batch_ndims else support

    def __init__(self, base_distribution, reinterpreted_batch_ndims, validate_args=None):
        n = len(base_distribution.batch_shape)
        if reinterpreted_batch_ndims > n:
            raise ValueError('Expected reinterpreted_batch_ndims <= len(base_distribution.batch_shape), '
                             f'actual {reinterpreted_batch_ndims} vs {n}')
        self.base_dist = base_distribution
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims
        shape = tuple(base_distribution.batch_shape) + tuple(base_distribution.event_shape)
        cut = n - reinterpreted_batch_ndims
        super().__init__(shape[:cut], shape[cut:])

    @property
    def has_rsample(self):
        return self.base_dist.has_rsample

    def _like(self):
        return self.base_dist._like()

    def rsample(self, sample_shape=torch.Size()):
        return self.base_dist.rsample(sample_shape)

    def sample(self, sample_shape=torch.Size()):
        return self.base_dist.sample(sample_shape)

    def _sum(self, x):
        return sum_rightmost(x, self.reinterpreted_batch_ndims)

    def log_prob(self, value):
        return self._sum(self.base_dist.log_prob(value))

    def entropy(self):
        return self._sum(self.base_dist.entropy())

    @property
    def mean(self):
        return self.base_dist.mean

    @property
    def mode(self):
        return self.base_dist.mode

    @property
    def variance(self):
        return self.base_dist.variance


class MixtureSameFamily(Distribution):
    arg_constraints = {}

    @constraints.dependent_property
    def support(self):
        return constraints.MixtureSameFamilyConstraint(self.component_distribution.support)

    def __init__(self, mixture_distribution, component_distribution, validate_args=None):
        self._mixture = mixture_distribution
        self._components = component_distribution
        super().__init__(component_distribution.batch_shape[:-1], component_distribution.event_shape)

    @property
    def mixture_distribution(self):
        return self._mixture

    @property
    def component_distribution(self):
        return self._components

    def _like(self):
        return self._components._like()

    def _weights(self):
        w = self._mixture.probs
        for _ in self._event_shape:
            w = w.unsqueeze(-1)
        return w

    @property
    def _axis(self):
        return -1 - len(self._event_shape)

    @property
    def mean(self):
        return (self._weights() * self._components.mean).sum(self._axis)

    @property
    def variance(self):
        mean = (self._weights() * self._components.mean).sum(self._axis, keepdim=True)
        return (self._weights() * (self._components.variance + (self._components.mean - mean).pow(2.0))).sum(self._axis)

    def log_prob(self, value):
        p = self._components.log_prob(value.unsqueeze(self._axis))
        return torch.logsumexp(p + torch.log_softmax(self._mixture.logits, dim=-1), dim=-1)

    def cdf(self, value):
        return (self._components.cdf(value.unsqueeze(self._axis)) * self._mixture.probs).sum(-1)


class TransformedDistribution(Distribution):
    arg_constraints = {}

    @constraints.dependent_property
    def support(self):
        if not self.transforms:
            return self.base_dist.support
        last = self.transforms[-1].codomain
        missing = len(self.event_shape) - last.event_dim
        return constraints.independent(last, missing) if missing > 0 else last

    def __init__(self, base_distribution, transforms, validate_args=None):
        self.base_dist = base_distribution
        self.transforms = list(transforms) if isinstance(transforms, (list, tuple)) else [transforms]
        whole = ComposeTransform(self.transforms)
        shape = tuple(base_distribution.batch_shape) + tuple(base_distribution.event_shape)
        if len(shape) < whole.event_dim:
            raise ValueError(f'base_distribution needs to have shape with size at least {whole.event_dim}, but got {shape}.')
        base_dim = len(base_distribution.event_shape)
        if whole.event_dim > base_dim:
            self.base_dist = Independent(base_distribution, whole.event_dim - base_dim)
        shape = whole.forward_shape(shape)
        cut = len(shape) - whole.result_dim - max(base_dim - whole.event_dim, 0)
        super().__init__(shape[:cut], shape[cut:])

    @property
    def has_rsample(self):
        return self.base_dist.has_rsample

    def _like(self):
        return self.base_dist._like()

    def _through(self, x):
        for t in self.transforms:
            x = t(x)
        return x

    def rsample(self, sample_shape=torch.Size()):
        return self._through(self.base_dist.rsample(sample_shape))

    def sample(self, sample_shape=torch.Size()):
        return self._through(self.base_dist.sample(sample_shape))

    def log_prob(self, value):
        total, y, axes = 0.0, value, len(self._event_shape)
        for t in reversed(self.transforms):
            x = t.inv(y)
            axes = axes + t.event_dim - t.result_dim
            total = total - sum_rightmost(t.log_abs_det_jacobian(x, y), axes - t.event_dim)
            y = x
        return total + sum_rightmost(self.base_dist.log_prob(y), axes - len(self.base_dist.event_shape))
