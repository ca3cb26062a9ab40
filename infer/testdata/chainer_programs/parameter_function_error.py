# entry: main
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np
from chainer import Variable


def main():
    a = chainer.Parameter(chainer.initializers.Normal(0.1))
    return F.sum(a)
