# entry: forward
# arg: x:f32[8,4]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(x):
    outs = []
    for train in (True, False):
        with chainer.using_config('train', train):
            outs.append(F.dropout(x, 0.5))
    with chainer.using_config('enable_backprop', False):
        y = F.relu(chainer.Variable(x))
    with chainer.no_backprop_mode():
        z = F.relu(chainer.Variable(x))
        with chainer.force_backprop_mode():
            w = F.relu(chainer.Variable(x))
    chainer.config.user_key = 3
    with chainer.using_config('dtype', np.float16):
        l = L.Linear(4, 2)
        d = chainer.get_dtype()
    return outs, y.creator is None, z.creator is None, w, chainer.config.user_key, l.W.dtype, d, chainer.get_dtype(np.float64), chainer.config.train
