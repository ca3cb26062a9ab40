# entry: forward
# arg: n=5
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(n):
    a = np.arange(n)
    b = a[::-1] * 2 + 1
    c = np.concatenate([a, b])
    return int(a.sum()), int(b.max()), float(a.mean()), c[c > 3].shape, [int(v) for v in np.cumsum(a)], np.zeros(int(np.prod(a[1:3]))), np.zeros(tuple(np.array([2, 3]))), int(np.argmax(b)), bool((a < 10).all()), a.tolist(), np.array_equal(a, a), int(np.ceil(n / 2)), np.zeros(np.maximum(a, 2)[3]), sorted(set(np.array([1, 1, 2]).tolist())), np.zeros((n + 1) // 2)
