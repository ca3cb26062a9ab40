# entry: forward
# arg: x:f32[3]
# arg: i:i32[3]
# arg: u:u8[3]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(x, i, u):
    return (x + i, x * 2, x + np.float64(1), i / i, i // 2, u + u, u - 1, u * 1.5, x ** 2, i ** 2, np.sqrt(i), np.exp(u), i + u, np.mean(i), np.sum(u), np.cumsum(i), np.where(x > 0, 1, 0), np.where(x > 0, x, 0), np.clip(i, 0, 1.5), x.astype('i8') + 1, np.result_type(x, i),
            np.round(x, 2), np.floor_divide(x, 2), np.mod(i, 3), np.power(u, 2), np.abs(i), np.sign(x), np.isnan(x), x > 0, ~(x > 0), -u, i << 1, i & 3, np.bitwise_or(u, 1))
