# entry: forward
# arg: x:f32[4,5]
# arg: t:i32[4]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(x, t):
    v = chainer.Variable(x)
    return (F.select_item(v, t), F.scatter_add(v, (np.arange(4), t), np.ones(4, 'f')), F.get_item(v, ([0, 1], [2, 3])), F.where(x > 0, v, -v), F.permutate(v, np.array([3, 2, 1, 0])), F.separate(v, 1), F.split_axis(v, [1, 4], 1), F.stack([v, v], 2),
            F.cumsum(v), F.cumprod(v, 1), F.sort if False else 0, F.argmax(v, 1), F.argmin(v), F.max(v, (0, 1), True), F.logsumexp(v, 0), F.prod(v, 1), F.average(v, 1, np.ones(5, 'f')), F.batch_l2_norm_squared(v), F.normalize(v, axis=1), F.linear_interpolate(v, v, v), F.matmul(v, v, transb=True), F.batch_matmul(v[:, :, None], v[:, None]), F.tensordot(v, v, ([0], [0])), F.einsum('ij,kj->ik', v, v), F.inv(np.eye(3, dtype='f') * 2), F.det(np.eye(2, dtype='f')), F.erfinv(v * 0.1), F.digamma(np.abs(x) + 1), F.fft((v, v)), F.clip(v, 0, 0.5), F.fmod(v, v + 1), F.sign(v))
