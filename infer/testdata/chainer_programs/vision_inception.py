# entry: make()
# arg: x:f32[2,192,14,14]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def make():
    return L.Inception(None, 64, 96, 128, 16, 32, 32)
