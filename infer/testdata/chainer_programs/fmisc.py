# entry: forward
# arg: x:f32[2,3,4]
import chainer
import chainer.functions as F
import numpy as np


def forward(x):
    out = [F.batch_matmul(x, F.swapaxes(x, 1, 2)), F.cumprod(x, 1), F.cumsum(x), F.diagonal(x, 0, 1, 2), F.flip(x, 2), F.fliplr(x), F.flipud(x), F.hstack([x, x]), F.dstack([x, x]),
           F.im2col(x[None], 2), F.moveaxis(x, 0, -1), F.permutate(x, np.array([1, 0], 'i')), F.rollaxis(x, 2), F.repeat(x, 2, 1), F.repeat(x, (1, 2, 1), 1), F.rot90(x[None], 1, (2, 3)) if hasattr(F, 'rot90') else 0,
           F.scatter_add(x, (0, 1), np.ones(4, 'f')), F.select_item(x[0], np.array([0, 1, 2], 'i')), F.space2depth(x[None][:, :, :2], 2) if False else 0, F.depth2space(F.broadcast_to(x[None, :, :1, :1], (1, 2, 1, 1)), 1),
           F.stack([x, x], -1), F.tile(x, (2, 1, 1)), F.transpose(x, (2, 0, 1)), F.vstack([x, x]), F.where(x > 0, x, -x), F.split_axis(x, [1, 3], 2), F.split_axis(x, 3, 1, False), F.separate(x, 1),
           F.squeeze(x[:, :1], 1), F.as_strided(x, (2, 2), (4, 1)), F.broadcast(x, x[:1]), F.cast(x, 'd'), F.copy(x, -1), F.expand_dims(x, (0, 2)) if False else 0, F.flatten(x), F.get_item(x, (0, slice(None), [0, 1])),
           F.pad(x, ((0, 0), (1, 2), (0, 1)), 'constant', constant_values=1), F.pad(x, 1, 'edge') if False else 0, F.pad_sequence([x[0], x[0, :2]], 5, -1), F.resize_images(x[None], (6, 8)), F.reshape(x, (-1, 2)),
           F.spatial_transformer_grid(np.zeros((2, 2, 3), 'f'), (4, 5)), F.spatial_transformer_sampler(x[None].repeat(2, 1)[:, :, :, :], np.zeros((1, 2, 4, 4), 'f')), F.swapaxes(x, 0, 2), F.transpose_sequence([x[0], x[0, :2]]),
           F.average(x, (0, 2)), F.average(x, 1, np.ones(3, 'f')), F.linear_interpolate(x, x, x), F.logsumexp(x, (0, 1)), F.max(x, (0, 2), True), F.argmax(x, 1), F.argmin(x), F.prod(x, 0), F.sum(x, (0, -1)), F.sum_to(x, (1, 4)),
           F.tensordot(x, x, axes=([1, 2], [1, 2])), F.einsum('ijk,ilk->jl', x, x), F.erf(x), F.erfinv(x * 0.1), F.digamma(x + 1), F.lgamma(x + 1), F.polygamma(np.array([1, 2], 'i'), x[0, :1, :2] + 1), F.ndtr(x), F.fmod(x, x + 1),
           F.arctan2(x, x), F.sinh(x), F.sparse_matmul if False else 0, F.inv(np.eye(3, dtype='f')), F.batch_inv(np.eye(3, dtype='f')[None]), F.det(np.eye(3, dtype='f')), F.batch_det(np.eye(3, dtype='f')[None]), F.cholesky(np.eye(3, dtype='f')),
           F.identity(x, x), F.ceil(x), F.log1p(x), F.log2(x + 1), F.expm1(x), F.rsqrt(x + 1), F.square(x), F.squared_difference(x, x), F.sign(x), F.bias(x, x[0, :, 0]), F.scale(x, x[0, :, 0]), F.zeta(x + 2, x + 1), F.fft((x, x))]
    return out
