# entry: forward
# arg: x:f32[4,3]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(x):
    out = [chainer.config.train, chainer.config.enable_backprop, chainer.config.type_check, chainer.config.dtype is np.float32, chainer.config.keep_graph_on_report,
           chainer.config.cudnn_deterministic, chainer.config.use_ideep, chainer.config.lazy_grad_sum, chainer.config.autotune, chainer.config.debug]
    with chainer.using_config('train', False), chainer.using_config('enable_backprop', False):
        y = F.dropout(x, 0.5)
        out += [chainer.config.train, y.requires_grad, y.creator is None]
    with chainer.using_config('dtype', np.float64):
        l = L.Linear(3, 2)
        out += [l.W, chainer.get_dtype(), chainer.get_dtype(np.float16)]
    with chainer.using_config('my_own', 3):
        out.append(chainer.config.my_own)
    out.append(hasattr(chainer.config, 'my_own'))
    with chainer.no_backprop_mode():
        with chainer.force_backprop_mode():
            out.append(chainer.config.enable_backprop)
    chainer.global_config.train = False
    out.append(chainer.config.train)
    chainer.global_config.train = True
    with chainer.using_config('type_check', False):
        out.append(F.relu(x))
    return out
