# entry: forward
# arg: x:i32[6]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(x):
    a = np.array([3, 1, 2, 3, 1])
    u, idx, inv, cnt = np.unique(a, return_index=True, return_inverse=True, return_counts=True)
    return u, idx, inv, cnt, np.bincount(a), np.bincount(a, minlength=8), np.searchsorted(u, a), np.digitize(a, [1, 2]), np.isin(x, u)
