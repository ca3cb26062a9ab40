# entry: forward
# arg: n=3
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(n):
    w = chainer.WalkerAlias([1.0] * n) if hasattr(chainer, 'WalkerAlias') else None
    from chainer.utils.walker_alias import WalkerAlias
    w = WalkerAlias([1.0] * n)
    return w.sample((2, 3)), w.threshold, w.values
