# entry: forward
# arg: x:f32[4,3,5,5]
import chainer
import chainer.functions as F
import chainer.links as L


def forward(x):
    bn = L.BatchNormalization(3, decay=0.5, use_beta=False)
    y = bn(x, finetune=True)
    bn.start_finetuning()
    with chainer.using_config('train', False):
        z = bn(x)
    g = L.GroupNormalization(1)
    h = g(x)
    lazy = L.BatchNormalization(axis=(0, 2, 3))
    lazy(x)
    r = L.BatchRenormalization(3)(x)
    return y, z, h, bn.N, lazy.gamma, hasattr(bn, 'beta'), r, bn.avg_mean
