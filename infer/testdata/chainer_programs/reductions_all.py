# entry: forward
# arg: x:f32[4,5,6]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np
from chainer import Variable


def forward(x):
    return (F.sum(x, axis=(0, -1), keepdims=True), F.mean(x, axis=1), F.max(x, axis=2), F.min(x), F.argmax(x, axis=1), F.logsumexp(x, axis=(1, 2)), F.cumsum(x, axis=1), F.cumprod(x), F.prod(x, axis=0),
            F.average(x, axis=1, weights=np.ones(5, 'f')), F.batch_l2_norm_squared(x), F.normalize(x, axis=2), F.softmax(x, axis=2), F.maxout(x.reshape(20, 6), 3), F.clip(x, 0.0, 1.0), F.maximum(x, x * 2), F.matmul(x, x, transb=True),
            F.tensordot(x, x, axes=((1, 2), (1, 2))), F.einsum('bij,bkj->bik', x, x), F.scale(x, np.ones(5, 'f'), axis=1), F.bias(x, np.ones((5, 6), 'f')), F.sparse_matmul is not None, F.fft((x, x))[0], F.erf(x), F.polygamma(np.ones((4,), 'i'), x[:, 0, 0]) if False else None)
