# entry: forward
# arg: a:f32[4,3]
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


def forward(a):
    return chainer.distributions.Normal(a, scale=a, log_scale=a).sample()
