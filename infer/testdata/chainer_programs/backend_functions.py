# entry: main
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np
from chainer import Variable


import chainer.cuda


def main():
    xp = chainer.backend.get_array_module(np.ones(2))
    a = chainer.cuda.to_cpu(np.ones((2, 3)))
    b = chainer.backends.cuda.available
    c = chainer.backend.copyto
    d = np.zeros((2, 3), 'f')
    chainer.backend.copyto(d, np.ones((2, 3), 'f'))
    dev = chainer.get_device('@numpy')
    e = dev.send(np.ones((3,), 'f'))
    return xp is np, a, b, d.shape, dev.xp is np, e, str(dev), chainer.is_arrays_compatible([d, e]), chainer.utils.force_array(np.float32(3)), chainer.cuda.get_device_from_array(d).id if False else None
