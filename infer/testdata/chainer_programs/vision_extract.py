# entry: forward
# arg: n=2
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(n):
    net = L.ResNet50Layers(None)
    with chainer.using_config('train', False):
        x = np.zeros((n, 3, 224, 224), np.float32)
        y = net(x, layers=['res2', 'pool5'])
    return y['res2'], y['pool5'], net.available_layers
