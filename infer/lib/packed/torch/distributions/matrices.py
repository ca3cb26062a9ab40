# This file defines distributions of matrices.
import torch
from . import constraints
from .distribution import Distribution, ExponentialFamily, broadcast_all


class LKJCholesky(Distribution):
    arg_constraints = {'concentration': constraints.positive}
    support = constraints.corr_cholesky
    arg_names = ('concentration',)

    def __init__(self, dim, concentration=1.0, validate_args=None):
        if dim < 2:
            raise ValueError(f'Expected dim to be an integer greater than or equal to 2. Found dim={dim}.')
        self.dim = dim
        (self.concentration,) = broadcast_all(concentration)
        super().__init__(self.concentration.size(), torch.Size((dim, dim)))

    def _like(self):
        return self.concentration

    def sample(self, sample_shape=torch.Size()):
        return self._unshown('sample', self._extended_shape(sample_shape))

    def log_prob(self, value):
        diagonal = value.diagonal(dim1=-1, dim2=-2)[..., 1:]
        return (self.concentration.unsqueeze(-1) * diagonal.log()).sum(-1)


class Wishart(ExponentialFamily):
    support = constraints.positive_definite
    has_rsample = True
    arg_names = ('df', '_matrix')

    def __init__(self, df, covariance_matrix=None, precision_matrix=None, scale_tril=None, validate_args=None):
        given = [m for m in (covariance_matrix, scale_tril, precision_matrix) if m is not None]
        if len(given) != 1:
            raise ValueError('Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified.')
        matrix = given[0]
        if matrix.dim() < 2:
            raise ValueError('scale_tril must be at least two-dimensional, with optional leading batch dimensions')
        if not isinstance(df, torch.Tensor):
            df = torch.tensor(df, dtype=matrix.dtype, device=matrix.device)
        batch = torch.broadcast_shapes(matrix.shape[:-2], df.shape)
        self.df = df.expand(batch)
        self._matrix = matrix.expand(tuple(batch) + (-1, -1))
        self._given = 'covariance' if covariance_matrix is not None else 'scale' if scale_tril is not None else 'precision'
        super().__init__(batch, self._matrix.shape[-2:])

    def _like(self):
        return self._matrix

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
        return self.df[..., None, None] * self.covariance_matrix

    @property
    def mode(self):
        return (self.df[..., None, None] - self._event_shape[-1] - 1) * self.covariance_matrix

    @property
    def variance(self):
        v = self.covariance_matrix
        d = v.diagonal(dim1=-2, dim2=-1)
        return self.df[..., None, None] * (v.pow(2) + d.unsqueeze(-1) * d.unsqueeze(-2))

    def log_prob(self, value):
        return self._unshown('log_prob', self._batch_shape) + torch.linalg.slogdet(value).logabsdet
