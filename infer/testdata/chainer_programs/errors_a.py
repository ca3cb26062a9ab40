# entry: forward
# arg: x:f32[2,3]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(x):
    out = []
    v = chainer.Variable(x)
    for f in (lambda: F.reshape(v, (4, 2)), lambda: F.concat([v, v[:1]], 1), lambda: F.matmul(v, v), lambda: L.Linear(4, 2)(x), lambda: F.broadcast_to(v, (2, 4)), lambda: F.transpose(v, (0, 2)), lambda: F.squeeze(v, 0), lambda: F.expand_dims(v, 4), lambda: F.stack([v, v[0]]),
              lambda: F.split_axis(v, 2, 1), lambda: F.sum(v, 3), lambda: F.max_pooling_2d(v, 2), lambda: L.Convolution2D(3, 4, 3)(x), lambda: F.embed_id(x, v), lambda: F.softmax_cross_entropy(v, np.zeros(3, 'i')), lambda: F.where(v.array > 0, v, v[:1, :2]), lambda: F.tile(v, -1),
              lambda: F.dropout(v, 1.5), lambda: F.get_item(v, (0, 5)), lambda: v[3], lambda: F.pad(v, (1, 2, 3), 'constant'), lambda: F.swapaxes(v, 0, 3), lambda: F.cast(v, 'q9'), lambda: L.EmbedID(3, 2)(np.array([5], 'i')), lambda: F.linear(v, x.T), lambda: v + v[:1, :2], lambda: F.concat([]),
              lambda: F.stack([]), lambda: F.batch_normalization(v, x[0, :2], x[0, :2]), lambda: F.minimum(v, v[0]), lambda: L.BatchNormalization(4)(x), lambda: F.select_item(v, np.zeros(3, 'i')), lambda: chainer.Variable([1, 2]), lambda: chainer.Parameter(np.zeros(2), 3), lambda: L.LSTM(4, 2)(x),
              lambda: L.NStepLSTM(1, 3, 2, 0)(None, None, x), lambda: F.mean_squared_error(v, v[0]), lambda: F.separate(v, 5), lambda: F.flip(v, 3), lambda: F.cumsum(v, 4), lambda: F.argmax(v, 2), lambda: F.logsumexp(v, 5), lambda: F.scatter_add(v, 0, x), lambda: F.repeat(v, -1)):
        try:
            r = f()
            out.append(r if isinstance(r, chainer.Variable) else type(r).__name__)
        except Exception as e:
            out.append(type(e).__name__)
    return out
