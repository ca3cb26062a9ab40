# This file defines distributions of vectors and those made of others.
import torch
from .distribution import Distribution


class MultivariateNormal(Distribution):
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

    def _as(self, form):
        return self._matrix if self._given == form else torch._stand_in(self._matrix)

    @property
    def covariance_matrix(self):
        return self._as('covariance')

    @property
    def precision_matrix(self):
        return self._as('precision')

    @property
    def scale_tril(self):
        return self._as('scale')

    @property
    def mean(self):
        return self.loc


class LowRankMultivariateNormal(Distribution):
    has_rsample = True
    arg_names = ('loc',)

    def __init__(self, loc, cov_factor, cov_diag, validate_args=None):
        self.loc = loc
        self.cov_factor = cov_factor
        self.cov_diag = cov_diag
        super().__init__(loc.shape[:-1], loc.shape[-1:])

    def _like(self):
        return self.loc


class Independent(Distribution):
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
        for _ in range(self.reinterpreted_batch_ndims):
            x = x.sum(-1)
        return x

    def log_prob(self, value):
        return self._sum(self.base_dist.log_prob(value))

    def entropy(self):
        return self._sum(self.base_dist.entropy())

    @property
    def mean(self):
        return self.base_dist.mean

    @property
    def variance(self):
        return self.base_dist.variance


class MixtureSameFamily(Distribution):
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


class TransformedDistribution(Distribution):
    def __init__(self, base_distribution, transforms, validate_args=None):
        self.base_dist = base_distribution
        self.transforms = list(transforms) if isinstance(transforms, (list, tuple)) else [transforms]
        super().__init__(base_distribution.batch_shape, base_distribution.event_shape)

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
