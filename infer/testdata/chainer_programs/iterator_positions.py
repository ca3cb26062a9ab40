# entry: main
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np
from chainer import Variable


def main():
    it = chainer.iterators.SerialIterator(list(range(7)), 3, repeat=True, shuffle=False)
    out = []
    for _ in range(5):
        b = it.next()
        out.append((b, it.epoch, it.is_new_epoch, round(it.epoch_detail, 3), it.previous_epoch_detail))
    it.reset()
    return out, it.epoch, it.current_position
