# entry: forward
# arg: x:f32[5,5]
# arg: b:f32[5,2]
import chainer.functions as F
import numpy as np


def forward(x, b):
    n = x.shape[0]
    a = x + 6 * np.eye(n, dtype=np.float32)
    swapped = a[::-1]
    stack = np.stack([a, swapped, a.T])
    return np.linalg.inv(swapped), np.linalg.solve(a, b), np.linalg.solve(stack, b[:, 0]) if n == 3 else np.linalg.solve(a.astype('d'), b[:, 0]), F.inv(a), F.batch_inv(stack)
