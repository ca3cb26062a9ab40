# entry: forward
# arg: x=chainer.Variable(f32[4,3])
import chainer
import chainer.functions as F
import numpy as np


def forward(x):
    t = np.zeros(4, 'i')
    W = np.ones((3, 3), 'f')
    ys = [F.relu(x), F.sigmoid(x), F.tanh(x), F.softmax(x), F.log_softmax(x), F.leaky_relu(x), F.elu(x), F.softplus(x), F.clip(x, 0., 1.),
          F.concat([x, x]), F.reshape(x, (3, 4)), F.transpose(x), F.expand_dims(x, 0), F.broadcast_to(x, (2, 4, 3)), F.cast(x, 'd'), F.split_axis(x, 3, 1)[0],
          F.stack([x, x]), F.sum(x), F.mean(x), F.max(x), F.exp(x), F.log(x), F.sqrt(x), F.matmul(x, x, transb=True), F.linear(x, W), F.dropout(x),
          F.softmax_cross_entropy(x, t), F.mean_squared_error(x, x), F.arctan2(x, x), F.fmod(x, x), F.embed_id(t, W), F.select_item(x, t), x[0], x.T,
          x + x, x - x, x * x, x / x, x ** x, x + 1, x - 2, 1 - x, x * 3, 2 / x, x ** 2, 2 ** x, -x, abs(x), F.add(x, x, x), x + W[0]]
    none = [F.ceil(x).creator, F.floor(x).creator, F.sign(x).creator, (x // 2).creator]
    return [y.creator.label for y in ys], none, [y.creator.rank for y in ys[-8:]], len(F.linear(x, W).creator.inputs), (F.relu(x) + F.tanh(F.relu(x))).rank
